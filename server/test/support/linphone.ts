/** linphonec, Linphone on a console: a WAV file is its microphone, and it writes what it hears into another. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './api-client.js'
import { wavFile } from './audio-files.js'
import { Child } from './child.js'
import { freePort, freePortRun } from './free-ports.js'
import { toneLevel } from './tone.js'

/** Bytes before the samples of a WAV file, and where its rate stands. */
const wavHeader = 44
const rateAt = 24

export class Linphone {
  private constructor(
    private readonly child: Child,
    private readonly lines: string[],
    private readonly directory: string,
  ) {}

  /**
   * Starts one that registers an account and answers all calls. It looks for a network first, which takes 5 s.
   * @param account `proxy` is `sip:host:port;transport=x`
   * @param toneHz what it sends
   */
  static async start(
    account: { username: string; domain: string; password: string; proxy: string },
    toneHz: number,
  ): Promise<Linphone> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-linphone-'))
    const { username, domain, password, proxy } = account
    const [sip, rtp] = [await freePort(), await freePortRun(4)]
    await mkdir(join(directory, '.local/share/linphone'), { recursive: true })
    await writeFile(join(directory, 'tone.wav'), wavFile(toneHz, 30, { rate: 8_000, channels: 1 }))
    await writeFile(
      join(directory, 'rc'),
      [
        '[sip]',
        ...[`sip_port=${sip}`, `sip_tcp_port=${sip}`, 'sip_tls_port=0', 'default_proxy=0'],
        '[rtp]',
        `audio_rtp_port=${rtp}`,
        '[proxy_0]',
        ...[`reg_proxy=<${proxy}>`, `reg_route=<${proxy};lr>`, `reg_identity=sip:${username}@${domain}`],
        ...['reg_expires=300', 'reg_sendregister=1'],
        '[auth_info_0]',
        ...[`username=${username}`, `passwd=${password}`, `realm=${domain}`],
        '',
      ].join('\n'),
    )
    const lines: string[] = []
    const child = await Child.start('linphonec', ['-c', join(directory, 'rc'), '-a'], {
      env: { HOME: directory, LANG: 'C' },
      onLine: (line) => void lines.push(line),
    })
    const phone = new Linphone(child, lines, directory)
    phone.does('soundcard use files')
    phone.does(`play ${join(directory, 'tone.wav')}`)
    phone.does(`record ${join(directory, 'heard.wav')}`)
    return phone
  }

  /** Types a command: `call <uri>`, `terminate`, … */
  does(command: string): void {
    this.child.say(command)
  }

  /** What it printed. */
  get output(): string {
    return this.lines.join('\n')
  }

  /** Waits until it has printed a number of such lines. */
  async says(pattern: RegExp, times = 1): Promise<void> {
    await eventually(
      async () => Promise.resolve(this.lines.filter((line) => pattern.test(line)).length),
      (count) => count >= times,
      { what: `linphonec saying ${pattern.source}: ${this.output}` },
    )
  }

  /** How much of the purest quarter of a second that it heard in its last call is a tone, 0 to 1. */
  async heard(hz: number): Promise<number> {
    const file = await readFile(join(this.directory, 'heard.wav'))
    const rate = file.readUInt32LE(rateAt)
    const samples = Int16Array.from({ length: (file.length - wavHeader) >> 1 }, (_, at) =>
      file.readInt16LE(wavHeader + at * 2),
    )
    const length = rate / 4
    const parts = Array.from({ length: Math.floor(samples.length / length) }, (_, at) =>
      toneLevel(samples.subarray(at * length, (at + 1) * length), hz, rate),
    )
    return Math.max(0, ...parts)
  }

  async stop(): Promise<void> {
    this.does('quit')
    await this.child.exitCode(3_000).catch(() => undefined)
    await this.child.stop(500)
    await rm(this.directory, { recursive: true, force: true })
  }
}
