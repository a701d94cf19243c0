/** What agents are told by mail when their account changes, and who can get back in after a takeover. */
import { expect } from 'chai'
import { freePorts } from '../support/free-ports.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { SmtpReceiver } from '../support/smtp-receiver.js'
import { query } from './database.js'
import { mailSettings, newPerson, startUnlimited, succeed } from './fixtures.js'

describe('notices of changed accounts', function () {
  this.timeout(60_000)
  let mail: SmtpReceiver
  let port: number
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => {
    ;[port = 0] = await freePorts(1)
    appliance = await startUnlimited(mailSettings(port))
    workspace = await appliance.workspace()
  })
  after(async () => appliance?.stop())
  beforeEach(async () => (mail = await SmtpReceiver.start({ port })))
  afterEach(async () => mail.stop())

  const visitor = () => workspace.api.with({ authorization: undefined })
  /** The mails that came to an address, once there are so many. */
  const mailsTo = async (address: string, count: number) =>
    eventually(
      async () => Promise.resolve(mail.mails.filter(({ to }) => to.includes(address))),
      (mails) => mails.length >= count,
      { withinMs: 15_000, what: `${count} mails to ${address}` },
    )
  const withEmail = async () => {
    const person = await newPerson(workspace)
    const email = `${person.username}@example.com`
    await succeed(person.api.patch('/me', { email, current_password: person.password }))
    return { ...person, email }
  }

  it('go to the old address when the e-mail changes, whoever changes it', async () => {
    const ann = await withEmail()
    const taken = `${ann.username}@evil.example`
    await succeed(ann.api.patch('/me', { email: taken, current_password: ann.password }))
    const [own] = await mailsTo(ann.email, 1)
    expect(own!.content).to.include('this address is no longer the account’s').and.include('127.0.0.1')
    expect(mail.mails.some(({ to }) => to.includes(taken))).to.equal(false)
    const ben = await withEmail()
    await succeed(workspace.api.patch(`/agents/${ben.id}`, { email: `${ben.username}@evil.example` }))
    const [byKey] = await mailsTo(ben.email, 1)
    expect(byKey!.content).to.include('by who manages the workspace')
  })

  it('let the owner reset the password by the old address for a day, however often the new one changes', async () => {
    const ann = await withEmail()
    for (const host of ['first', 'second'])
      await succeed(
        ann.api.patch('/me', { email: `${ann.username}@${host}.example`, current_password: ann.password }),
      )
    // Of both changes the first address is told.
    await mailsTo(ann.email, 2)
    for (const email of [ann.email, `${ann.username}@second.example`]) {
      mail.mails.length = 0
      await succeed(visitor().post('/auth/forgot-password', { username: ann.username, email }))
      const [reset] = await mailsTo(ann.email, 1)
      expect(reset!.content).to.include('reset#')
      await mailsTo(`${ann.username}@second.example`, 1)
    }
    const past =
      'UPDATE agent_former_emails SET changed_at = changed_at - INTERVAL 25 HOUR WHERE agent_id = ?'
    await query(appliance, past, [ann.id])
    mail.mails.length = 0
    await succeed(
      visitor().post('/auth/forgot-password', {
        username: ann.username,
        email: `${ann.username}@second.example`,
      }),
    )
    await mailsTo(`${ann.username}@second.example`, 1)
    expect(mail.mails.some(({ to }) => to.includes(ann.email))).to.equal(false)
  })

  it('tell of a changed password, of another username and of admin rights', async () => {
    const ann = await withEmail()
    const change = { current_password: ann.password, new_password: 'battery staple' }
    await succeed(ann.api.patch('/me/password', change))
    expect((await mailsTo(ann.email, 1)).at(-1)!.content).to.include('Its password was changed')
    await succeed(workspace.api.patch(`/agents/${ann.id}`, { is_admin: true }))
    expect((await mailsTo(ann.email, 2)).at(-1)!.content).to.include('administrator of the workspace')
    await succeed(workspace.api.patch(`/agents/${ann.id}`, { username: `${ann.username}x` }))
    expect((await mailsTo(ann.email, 3)).at(-1)!.content).to.include('Its username was changed')
    await succeed(workspace.api.patch(`/agents/${ann.id}`, { display_name: 'Ann' }))
    expect(mail.mails.filter(({ to }) => to.includes(ann.email))).to.have.length(3)
  })

  it('are sent after a kill, when they had been accepted', async () => {
    const ann = await withEmail()
    await mail.stop()
    await succeed(ann.api.patch('/me', { email: null, current_password: ann.password }))
    await appliance.killServer()
    mail = await SmtpReceiver.start({ port })
    await appliance.startServer()
    await mailsTo(ann.email, 1)
  })
})
