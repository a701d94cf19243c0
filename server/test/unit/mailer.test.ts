import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MailError, Mailer, type MailSettings } from '../../src/infrastructure/mail/mailer.js'
import { freePorts } from '../support/free-ports.js'
import { SmtpReceiver } from '../support/smtp-receiver.js'
import { selfSigned } from '../support/tls-relay.js'

const mail = { to: 'jane@example.com', subject: 'Hello', text: 'Text', html: '<p>Text</p>' }

describe('mailer', () => {
  let directory: string
  let tls: { certificate: string; key: string }
  let receiver: SmtpReceiver | undefined
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-mail-'))
    tls = await selfSigned(directory)
  })
  after(async () => rm(directory, { recursive: true }))
  afterEach(async () => {
    await receiver?.stop()
    receiver = undefined
  })

  const started = async (options: Parameters<typeof SmtpReceiver.start>[0] = {}) => {
    receiver = await SmtpReceiver.start(options)
    return receiver
  }
  const mailer = (port: number, changes: Partial<MailSettings> = {}) =>
    new Mailer({
      ...{ host: '127.0.0.1', port, security: 'none', user: '', password: '', from: 'us@example.com' },
      ...changes,
    })
  const failure = async (sending: Promise<void>): Promise<MailError> =>
    sending.then(
      () => {
        throw new Error('the mail was sent')
      },
      (error: unknown) => error as MailError,
    )

  it('sends neither mail nor password to a server that cannot be trusted', async () => {
    const login = { user: 'us', password: 'secret' }
    const unencrypted = await started({ login })
    await failure(mailer(unencrypted.port, { ...login, security: 'starttls' }).send(mail))
    await unencrypted.stop()
    for (const security of ['starttls', 'tls'] as const) {
      const untrusted = await started({ login, tls: { ...tls, fromStart: security === 'tls' } })
      const error = await failure(mailer(untrusted.port, { ...login, security }).send(mail))
      expect(error.message, security).to.match(/self-signed certificate/)
      expect(error.isFinal).to.equal(false)
      expect(untrusted.logins).to.deep.equal([])
      await untrusted.stop()
    }
    expect(unencrypted.logins).to.deep.equal([])
  })

  it('tells refusals for good from those that may pass', async () => {
    const refusals = [
      { code: 550, isFinal: true },
      { code: 451, isFinal: false },
    ]
    for (const { code, isFinal } of refusals) {
      const { port } = await started({ refuse: () => code })
      expect(await failure(mailer(port).send(mail)), String(code)).to.include({ isFinal })
      await receiver?.stop()
    }
    const { port } = await started({ login: { user: 'us', password: 'secret' } })
    const wrong = await failure(mailer(port, { user: 'us', password: 'wrong' }).send(mail))
    expect(wrong.isFinal, 'a wrong password').to.equal(false)
    const [nobody = 0] = await freePorts(1)
    expect((await failure(mailer(nobody).send(mail))).isFinal, 'a server that is down').to.equal(false)
  })

  it('breaks off what is being sent when it is closed', async () => {
    const { port } = await started({ silent: true })
    const closed = mailer(port)
    const sending = failure(closed.send(mail))
    closed.close()
    expect(await sending).to.include({ isFinal: false })
  })

  it('takes an address for one address, whatever it looks like', async () => {
    const { port, mails } = await started()
    await mailer(port)
      .send({ ...mail, to: 'jane@example.com, joe@example.com' })
      .catch(() => undefined)
    expect(mails.flatMap(({ to }) => to)).not.to.include('joe@example.com')
  })

  it('says that it is not configured without a server', async () => {
    const none = mailer(1, { host: '' })
    expect(none.isConfigured).to.equal(false)
    expect(await failure(none.send(mail))).to.include({ isFinal: true })
  })
})
