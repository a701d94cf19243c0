/** Forgotten passwords: from the hint to the mailed link to the new password. */
import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestHashes } from '../../src/features/sip-accounts/digest.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { freePorts } from '../support/free-ports.js'
import { SmtpReceiver } from '../support/smtp-receiver.js'
import { selfSigned } from '../support/tls-relay.js'
import { query, tablesHolding } from './database.js'
import { agentInput, fieldsOf, mailSettings, newPerson, startUnlimited, succeed } from './fixtures.js'
import { resetToken } from './token-forge.js'

const login = { user: 'jackfield', password: 'mail password' }
const newPassword = 'battery staple'
const asked = {
  message: 'If the username and the e-mail are those of an active agent, a mail with a link is on its way.',
  has_mail: true,
}

describe('password resets', function () {
  this.timeout(60_000)
  let directory: string
  let tls: { certificate: string; key: string }
  let port: number
  let mail: SmtpReceiver
  let appliance: Appliance
  let workspace: TestWorkspace
  let visitor: ApiClient
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-mail-'))
    tls = await selfSigned(directory)
    ;[port = 0] = await freePorts(1)
    appliance = await startUnlimited({
      ...mailSettings(port),
      JACKFIELD_MAIL_SECURITY: 'starttls',
      JACKFIELD_MAIL_USER: login.user,
      JACKFIELD_MAIL_PASSWORD: login.password,
      NODE_EXTRA_CA_CERTS: tls.certificate,
    })
    workspace = await appliance.workspace()
    visitor = workspace.api.with({ authorization: undefined })
  })
  after(async () => {
    await appliance?.stop()
    await rm(directory, { recursive: true })
  })
  beforeEach(async () => receive())
  afterEach(async () => mail.stop())

  const receive = async (refuse?: (attempt: number) => number | undefined) => {
    mail = await SmtpReceiver.start({ port, tls, login, ...(refuse && { refuse }) })
  }

  /** An agent with an e-mail. */
  const newAgent = async (changes: object = {}) => {
    const input = agentInput()
    const email = `${input.username}@example.com`
    const { id } = await succeed(workspace.api.post('/agents', { ...input, email, ...changes }))
    return { ...input, id: id as string, email }
  }

  const forget = async ({ username, email }: { username: string; email: string }, client = visitor) => {
    const answer = await client.post('/auth/forgot-password', { username, email })
    expect(answer).to.deep.include({ status: 200, body: asked })
  }
  const reset = async (token: string, new_password = newPassword) =>
    visitor.post('/auth/reset-password', { token, new_password })
  const logIn = async (username: string, password: string) =>
    visitor.post('/auth/login', { username, password, device_id: 'phone' })

  const mailOf = async () => {
    // Beside them there are notices: of a password that a reset has changed.
    const withLink = async () => mail.mails.find(({ content }) => tokenIn(content) !== '')
    return (await eventually(withLink, Boolean, { withinMs: 30_000, what: 'mail' }))!
  }
  const tokenIn = (content: string) => /reset#([\w.-]+)/.exec(content)?.[1] ?? ''
  const waiting = async () => query(appliance, "SELECT attempts FROM outbox WHERE kind = 'auth.reset-mail'")
  const allDone = async () =>
    eventually(waiting, (jobs) => jobs.length === 0, { withinMs: 30_000, what: 'empty outbox' })
  const refusal = async (token: string) => {
    const answer = await reset(token)
    expect(fieldsOf(answer)).to.deep.equal(['token'])
    return answer.body
  }

  it('hint at the e-mail of an active agent', async () => {
    const masks = {
      'john.doe@example.com': 'jo******@example.com',
      'abc@example.com': 'ab*@example.com',
      'ab@example.com': 'a*@example.com',
      'a@example.com': '*@example.com',
    }
    for (const [email, masked] of Object.entries(masks)) {
      const { username } = await newAgent({ email })
      const answer = await visitor.post('/auth/check-username', { username })
      expect(answer).to.deep.include({ status: 200, body: { email: masked } })
    }
    const unknown = await visitor.post('/auth/check-username', { username: 'nobody' })
    expect(unknown.status).to.equal(404)
    for (const changes of [{ email: null }, { is_active: false }]) {
      const { username } = await newAgent(changes)
      const answer = await visitor.post('/auth/check-username', { username })
      expect(answer).to.deep.include({ status: 404, body: unknown.body })
    }
  })

  it('lead over a mail, sent with TLS and log-in, to a new password', async () => {
    const agent = await newAgent()
    await forget(agent)
    const { to, headers, content, secure, user } = await mailOf()
    expect({ to, secure, user }).to.deep.equal({ to: [agent.email], secure: true, user: login.user })
    expect(headers).to.include.members([
      `To: ${agent.email}`,
      'From: Jackfield <no-reply@example.com>',
      `Subject: Set a new password for Workspace ${workspace.id}`,
      'Auto-Submitted: auto-generated',
    ])
    expect(content).to.include('text/plain').and.to.include('text/html').and.to.include('Hello Jane Doe,')
    const links = content.match(/https:\/\/[\w.-]+\/reset#[\w.-]+/g)!
    expect(links).to.have.length(2)
    expect(new Set(links).size).to.equal(1)
    expect(links[0]).to.match(new RegExp(`^https://${workspace.id}\\.example\\.com/reset#`))

    const token = tokenIn(content)
    expect(await reset(token)).to.deep.include({ status: 200, body: { message: 'The password is set.' } })
    expect((await logIn(agent.username, agent.password)).status).to.equal(401)
    expect((await logIn(agent.username, newPassword)).status).to.equal(200)
    await refusal(token)
    await allDone()
    expect(await tablesHolding(appliance, token)).to.deep.equal([])
    expect(appliance.log).not.to.include(token)
  })

  it('end the sessions of the agent, and set the softphone’s password', async () => {
    const person = await newPerson(workspace)
    expect((await reset(await resetToken(workspace, person.id))).status).to.equal(200)
    expect(
      (await person.api.post('/auth/verify', { token: person.api.authorization!.slice(7) })).status,
    ).to.equal(401)
    const refresh = { refresh_token: person.refresh_token, device_id: person.device_id }
    expect((await visitor.post('/auth/refresh', refresh)).status).to.equal(401)
    const [softphone] = await query(
      appliance,
      'SELECT username, realm AS domain, ha1 FROM agents WHERE id = ?',
      [person.id],
    )
    expect(softphone.ha1).to.equal(digestHashes(softphone, newPassword).ha1)
    const [entry] = (await succeed(workspace.api.get('/audit-log?limit=1'))).data
    expect(entry).to.deep.include({
      action: 'agent.update',
      actor: { ...entry.actor, kind: 'agent', id: person.id },
    })
  })

  it('send nothing to anybody else, and say the same', async () => {
    const agent = await newAgent()
    const inactive = await newAgent({ is_active: false })
    const nowhere = await newAgent({ email: null })
    await forget({ username: 'nobody', email: agent.email })
    await forget({ username: agent.username, email: 'somebody@example.com' })
    await forget(inactive)
    await forget({ ...nowhere, email: 'null@example.com' })
    const other = await appliance.workspace()
    await forget(agent, other.api.with({ authorization: undefined }))
    await allDone()
    expect(mail.mails).to.deep.equal([])
  })

  it('find the agent whatever the case of the e-mail, and write to the one that they have', async () => {
    const agent = await newAgent()
    await forget({ username: agent.username, email: agent.email.toUpperCase() })
    expect((await mailOf()).to).to.deep.equal([agent.email])
  })

  it('refuse tokens once the password or the e-mail has changed, and of who is gone or inactive', async () => {
    const changes: ((path: string) => Promise<unknown>)[] = [
      async (path) => workspace.api.patch(`${path}/password`, { password: 'correct horse' }),
      async (path) => workspace.api.patch(path, { email: 'another@example.com' }),
      async (path) => workspace.api.patch(path, { is_active: false }),
      async (path) => workspace.api.delete(path),
    ]
    const refusals = new Set<string>()
    for (const change of changes) {
      const { id } = await newAgent()
      const token = await resetToken(workspace, id)
      await change(`/agents/${id}`)
      refusals.add(JSON.stringify(await refusal(token)))
    }
    expect(refusals.size, 'they do not tell why').to.equal(1)
  })

  it('take a token once, of many who come with it at once', async () => {
    const { id, username } = await newAgent()
    const token = await resetToken(workspace, id)
    const passwords = Array.from({ length: 8 }, (_, index) => `password ${index}`)
    const answers = await Promise.all(passwords.map(async (password) => reset(token, password)))
    const statuses = answers.map(({ status }) => status)
    expect([...statuses].sort()).to.deep.equal([200, ...Array<number>(7).fill(400)])
    expect((await logIn(username, passwords[statuses.indexOf(200)]!)).status).to.equal(200)
  })

  it('survive a mail server that is down, and a crash of ours', async () => {
    await mail.stop()
    const agent = await newAgent()
    await forget(agent)
    await eventually(waiting, ([job]) => job?.attempts > 0, { what: 'attempt' })
    await appliance.killServer()
    await appliance.startServer()
    await receive()
    expect((await mailOf()).to).to.deep.equal([agent.email])
    await allDone()
  })

  it('are tried again after a refusal for now, and given up after one for good', async () => {
    await mail.stop()
    await receive((attempt) => (attempt === 0 ? 450 : undefined))
    await forget(await newAgent())
    await mailOf()
    expect(mail.recipients).to.equal(2)
    await mail.stop()
    await receive(() => 550)
    await forget(await newAgent())
    await eventually(async () => mail.recipients, Boolean, { what: 'recipient' })
    await allDone()
    expect(mail.recipients).to.equal(1)
    expect(mail.mails).to.deep.equal([])
  })

  it('do not hold up the server’s end while a mail server says nothing', async () => {
    await mail.stop()
    mail = await SmtpReceiver.start({ port, silent: true })
    const agent = await newAgent()
    await forget(agent)
    await eventually(async () => mail.connections, Boolean, { what: 'connection' })
    expect(await appliance.stopServer()).to.equal(0)
    await mail.stop()
    await receive()
    await appliance.startServer()
    expect((await mailOf()).to).to.deep.equal([agent.email])
  })

  it('send an agent five mails in the time that the links hold', async () => {
    const agent = await newAgent()
    for (let count = 1; count <= 7; count++) {
      await forget(agent)
      await allDone()
      expect(mail.mails).to.have.length(Math.min(count, 5))
    }
    expect((await reset(tokenIn(mail.mails[0]!.content))).status).to.equal(200)
  })

  it('answer 500 where no mail server is configured, and tell no more to who asks for one', async () => {
    const unconfigured = visitor.with({
      port: await appliance.startAnotherServer({ JACKFIELD_MAIL_HOST: '' }),
    })
    const agent = await newAgent()
    const body = { token: await resetToken(workspace, agent.id), new_password: newPassword }
    const answer = await unconfigured.post('/auth/reset-password', body)
    expect(answer.status).to.equal(500)
    expect(answer.body.message).to.equal('Password reset is not configured on this server')
    const { username, email } = agent
    expect(await unconfigured.post('/auth/forgot-password', { username, email })).to.deep.include({
      status: 200,
      body: { ...asked, has_mail: false },
    })
    expect(await waiting()).to.deep.equal([])
  })
})
