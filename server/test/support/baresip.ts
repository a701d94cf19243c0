/** baresip, a phone of Debian's that people use. */
import { once } from 'node:events'
import { mkdtemp, open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { eventually } from './api-client.js'
import { wavFile } from './audio-files.js'
import { Child } from './child.js'
import { freePort, freePortRun } from './free-ports.js'
import { toneLevel } from './tone.js'

/** A phone with audio, which answers whatever comes. */
interface CallOptions {
  codec: 'opus' | 'g711'
  /** Whom it calls at once. */
  dial?: string
  /** What it sends; without it, what it hears. */
  toneHz?: number
  /** Sends so many seconds of the tone after as many of silence, again and again; else the tone without a pause. */
  byTurns?: number
  /** SRTP: offered beside plain RTP and not insisted on (RFC 8643), or insisted on. */
  encrypts?: 'srtp' | 'srtp-mand'
}

/** Bytes of the plain header of a WAV file. */
const wavHeader = 44

/** Sample rate and channels, as baresip wants them for its codecs. */
const formats = { opus: { rate: 48_000, channels: 2 }, g711: { rate: 8_000, channels: 1 } } as const

function audio(call: CallOptions, directory: string): string[] {
  const { rate, channels } = formats[call.codec]
  return [
    `module ${call.codec}.so`,
    'module aubridge.so',
    'module aufile.so',
    'module sndfile.so',
    `snd_path ${directory}`,
    ...(call.encrypts ? ['module srtp.so'] : []),
    'module_app menu.so',
    `audio_source ${call.toneHz ? `aufile,${join(directory, 'tone.wav')}` : 'aubridge,echo'}`,
    'audio_player aubridge,echo',
    `ausrc_srate ${rate}`,
    `auplay_srate ${rate}`,
    `ausrc_channels ${channels}`,
    `auplay_channels ${channels}`,
  ]
}

/** The WAV file of a minute that it sends. */
function said({ codec, toneHz = 0, byTurns = 0 }: CallOptions): Buffer {
  const wav = wavFile(toneHz, 60, formats[codec])
  if (byTurns === 0) return wav
  const { rate, channels } = formats[codec]
  const turn = byTurns * rate * channels * 2
  for (let at = wavHeader; at < wav.length; at += 2 * turn) {
    wav.fill(0, at, Math.min(at + turn, wav.length))
  }
  return wav
}

/** RTP and RTCP of each call's audio and video. */
const rtpPorts = 16

export class Baresip {
  private constructor(
    private readonly child: Child,
    private readonly directory: string,
    private readonly controlPort: number,
    private readonly format: { rate: number; channels: number },
  ) {}

  /**
   * Starts one that registers an account by way of `proxy`, `sip:host:port;transport=x`.
   * @param call makes it a phone with audio
   */
  static async start(
    account: { username: string; domain: string; password: string; proxy: string },
    call?: CallOptions,
  ): Promise<Baresip> {
    const { username, domain, password, proxy } = account
    const transport = /transport=(\w+)/.exec(proxy)?.[1] ?? 'udp'
    const parameters = `auth_user=${username};auth_pass=${password};outbound="${proxy}";regint=60`
    return Baresip.run(`<sip:${username}@${domain};transport=${transport}>;${parameters}`, call)
  }

  /**
   * Starts one that is a carrier over TLS, and answers calls of one number.
   * @param files PEM files of its certificate
   */
  static async carrier(
    number: string,
    port: number,
    files: { certificate: string; key: string },
    call: CallOptions,
  ): Promise<Baresip> {
    const pem = join(dirname(files.key), 'both.pem')
    await writeFile(pem, (await readFile(files.key, 'utf8')) + (await readFile(files.certificate, 'utf8')))
    return Baresip.run(`<sip:${number}@127.0.0.1;transport=tls>;regint=0`, call, [
      // TLS listens on the next port
      `sip_listen 127.0.0.1:${port - 1}`,
      `sip_certificate ${pem}`,
    ])
  }

  private static async run(
    account: string,
    call: CallOptions | undefined,
    settings: readonly string[] = [],
  ): Promise<Baresip> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-baresip-'))
    const [controlPort, rtp] = [await freePort(), await freePortRun(rtpPorts)]
    await writeFile(
      join(directory, 'accounts'),
      `${account}${call ? ';answermode=auto' : ''}${call?.encrypts ? `;mediaenc=${call.encrypts}` : ''}\n`,
    )
    if (call?.toneHz) {
      await writeFile(join(directory, 'tone.wav'), said(call))
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
        `rtp_ports ${rtp}-${rtp + rtpPorts - 1}`,
        'sip_verify_server no',
        ...settings,
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
      formats[call?.codec ?? 'g711'],
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

  /** Waits until the second that it hears last, and in whole from now on, is this tone without the others. */
  async hears(hz: number, not: readonly number[] = []): Promise<void> {
    const { rate, channels } = this.format
    const second = rate * channels * 2
    const file = await eventually(
      // one a call, with its time in the name
      async () =>
        (await readdir(this.directory))
          .filter((name) => /^dump-.*-dec\.wav$/.test(name))
          .sort()
          .at(-1),
      (name) => name !== undefined,
      { what: 'what baresip hears' },
    )
    const path = join(this.directory, file!)
    const from = (await stat(path)).size + second
    await eventually(
      async () => {
        const { size } = await stat(path)
        if (size < from) return []
        const last = leftOf(await tailOf(path, size, second), channels)
        return [hz, ...not].map((one) => toneLevel(last, one, rate))
      },
      ([level = 0, ...others]) => level > 0.9 && others.every((other) => other < 0.02),
      { withinMs: 30_000, what: `${hz} Hz without ${not.join(', ') || 'others'} at baresip` },
    )
  }

  async stop(): Promise<void> {
    await this.child.stop(2000)
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** The last so many bytes of samples that a WAV file of so many bytes has; it may grow meanwhile. */
async function tailOf(path: string, size: number, length: number): Promise<Buffer> {
  const end = size - ((size - wavHeader) % 4)
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, end - length)
    return buffer
  } finally {
    await file.close()
  }
}

/** The samples of the first channel. */
function leftOf(bytes: Buffer, channels: number): Int16Array {
  const length = Math.floor(bytes.length / 2 / channels)
  return Int16Array.from({ length }, (_, index) => bytes.readInt16LE(index * channels * 2))
}
