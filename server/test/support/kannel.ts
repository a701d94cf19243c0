/**
 * Kannel (Debian's bearerbox and smsbox) with a handset behind it: its driver "fake" speaks lines of text with a socket of the
 * test, as the program fakesmsc of Kannel does.
 */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type Server, createServer, request } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from './child.js'
import { freePorts } from './free-ports.js'

const startMs = 20_000

export class Kannel {
  /** What the handset received. Each is sender, recipient, and `text`, `ucs-2` or `udh … data` with what follows. */
  readonly delivered: string[] = []

  private constructor(
    private readonly directory: string,
    private readonly boxes: readonly Child[],
    private readonly handset: Socket,
    private readonly proxy: Server,
    /** Of `sendsms`. */
    readonly url: string,
    /** Of the appliance's API on the operator's host, as Kannel reaches it. */
    readonly callbacks: string,
    /** What Kannel has asked the appliance for: method and path. */
    readonly requests: readonly string[],
  ) {
    createInterface(handset).on('line', (line) => this.delivered.push(line))
  }

  /**
   * @param port of the appliance
   * @param service where texts go, below {@link callbacks}: by POST those whose first word is "posted", by GET all others
   * @param smsc over SMPP, by the name `smpp`
   */
  static async start(port: number, service: string, smsc: { port: number }): Promise<Kannel> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-kannel-'))
    const requests: string[] = []
    const proxy = await operatorProxy(port, requests)
    const callbacks = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/v1`
    const [admin = 0, boxes = 0, sendsms = 0, fake = 0] = await freePorts(4)
    const settings = join(directory, 'kannel.conf')
    await writeFile(
      settings,
      `group = core
admin-port = ${admin}
admin-password = trial
smsbox-port = ${boxes}
box-allow-ip = 127.0.0.1
dlr-storage = internal

group = smsc
smsc = fake
smsc-id = fake
denied-smsc-id = smpp
port = ${fake}
connect-allow-ip = 127.0.0.1

group = smsc
smsc = smpp
smsc-id = smpp
host = 127.0.0.1
port = ${smsc.port}
transceiver-mode = true
smsc-username = jackfield
smsc-password = secret
system-type = ""
allowed-smsc-id = smpp
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}

group = sendsms-user
username = trial
password = trialpass
max-messages = 10
concatenation = true

group = sms-service
keyword = posted
catch-all = true
post-url = "${callbacks}${service}"
max-messages = 0

group = sms-service
keyword = default
get-url = "${callbacks}${service}"
max-messages = 0
`,
    )
    const bearerbox = await Child.start('bearerbox', ['-v', '1', settings], { cwd: directory })
    await said(bearerbox, 'Start-up done')
    const smsbox = await Child.start('smsbox', ['-v', '1', settings], { cwd: directory })
    await said(smsbox, 'Connected to bearerbox')
    const handset = connect(fake, '127.0.0.1')
    await once(handset, 'connect')
    const url = `http://127.0.0.1:${sendsms}/cgi-bin/sendsms`
    return new Kannel(directory, [smsbox, bearerbox], handset, proxy, url, callbacks, requests)
  }

  /** The handset sends a text of Latin letters: Kannel's fake SMSC takes no others. */
  write(from: string, to: string, text: string): void {
    this.handset.write(`${from} ${to} text ${text}\n`)
  }

  /** What both programs have printed. */
  get output(): string {
    return this.boxes.map((box) => box.output).join('\n')
  }

  async stop(): Promise<void> {
    this.handset.destroy()
    for (const box of this.boxes) await box.stop()
    this.proxy.closeAllConnections()
    this.proxy.close()
    await rm(this.directory, { recursive: true, force: true })
  }
}

async function said(box: Child, text: string): Promise<void> {
  for (let waited = 0; !box.output.includes(text); waited += 50) {
    if (box.obituary || waited > startMs) throw new Error(box.obituary ?? `no "${text}": ${box.output}`)
    await sleep(50)
  }
}

/** Kannel asks the system's resolver, which does not know names below localhost. */
async function operatorProxy(port: number, requests: string[]): Promise<Server> {
  const proxy = createServer((asked, answered) => {
    const { method, url, headers } = asked
    const path = url ?? '/'
    requests.push(`${method} ${path}`)
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { ...headers, host: `admin.localhost:${port}` } },
      (answer) => {
        answered.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(answered)
      },
    )
    sent.on('error', () => answered.destroy())
    asked.pipe(sent)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}
