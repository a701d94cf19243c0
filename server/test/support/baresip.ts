/** baresip, a phone of Debian's that people use. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wavFile } from './audio-files.js'
import { Child } from './child.js'
import { freePort } from './free-ports.js'

/** A phone that answers what comes and says back what it hears, or one that calls somebody and sends a tone. */
type CallOptions = { codec: 'opus' | 'g711' } & ({ dial?: never } | { dial: string; toneHz: number })

/** Sample rate and channels, as baresip wants them for its codecs. */
const formats = { opus: { rate: 48_000, channels: 2 }, g711: { rate: 8_000, channels: 1 } } as const

function audio(call: CallOptions, directory: string): string[] {
  const { rate, channels } = formats[call.codec]
  return [
    `module ${call.codec}.so`,
    'module aubridge.so',
    'module aufile.so',
    'module_app menu.so',
    `audio_source ${call.dial ? `aufile,${join(directory, 'tone.wav')}` : 'aubridge,echo'}`,
    'audio_player aubridge,echo',
    `ausrc_srate ${rate}`,
    `auplay_srate ${rate}`,
    `ausrc_channels ${channels}`,
    `auplay_channels ${channels}`,
  ]
}

export class Baresip {
  private constructor(
    private readonly child: Child,
    private readonly directory: string,
    private readonly controlPort: number,
  ) {}

  /**
   * Starts one that registers an account by way of `proxy`, `sip:host:port;transport=x`.
   * @param call makes it a phone with audio
   */
  static async start(
    account: { username: string; domain: string; password: string; proxy: string },
    call?: CallOptions,
  ): Promise<Baresip> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-baresip-'))
    const { username, domain, password, proxy } = account
    const controlPort = await freePort()
    const transport = /transport=(\w+)/.exec(proxy)?.[1] ?? 'udp'
    await writeFile(
      join(directory, 'accounts'),
      `<sip:${username}@${domain};transport=${transport}>;auth_user=${username};auth_pass=${password};outbound="${proxy}";regint=60${call ? ';answermode=auto' : ''}\n`,
    )
    if (call?.dial) {
      await writeFile(join(directory, 'tone.wav'), wavFile(call.toneHz, 30, formats[call.codec]))
    }
    // without the module stdio, which spins on a closed standard input
    await writeFile(
      join(directory, 'config'),
      [
        'module_path /usr/lib/baresip/modules',
        ...(call ? audio(call, directory) : ['module g711.so']),
        'module_app account.so',
        'module_app ctrl_tcp.so',
        `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
        'net_interface 127.0.0.1',
        'sip_verify_server no',
        '',
      ].join('\n'),
    )
    return new Baresip(
      await Child.start('stdbuf', [
        ...['-oL', '-eL', 'baresip', '-v', '-f', directory],
        ...(call?.dial ? ['-e', `/dial ${call.dial}`] : []),
      ]),
      directory,
      controlPort,
    )
  }

  /** Does what somebody at it would: `transfer` to a SIP URI, … */
  async does(command: string, params: string): Promise<void> {
    const socket = connect(this.controlPort, '127.0.0.1')
    const text = JSON.stringify({ command, params })
    socket.write(`${Buffer.byteLength(text)}:${text},`)
    await once(socket, 'data')
    socket.destroy()
  }

  /** What it printed. */
  get output(): string {
    return this.child.output
  }

  async stop(): Promise<void> {
    await this.child.stop(2000)
    await rm(this.directory, { recursive: true, force: true })
  }
}
