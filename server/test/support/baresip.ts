/** baresip, a phone of Debian's that people use. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Child } from './child.js'

export class Baresip {
  private constructor(
    private readonly child: Child,
    private readonly directory: string,
  ) {}

  /** Starts one that registers an account by way of `proxy`, `sip:host:port;transport=x`. */
  static async start(account: {
    username: string
    domain: string
    password: string
    proxy: string
  }): Promise<Baresip> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-baresip-'))
    const { username, domain, password, proxy } = account
    const transport = /transport=(\w+)/.exec(proxy)?.[1] ?? 'udp'
    await writeFile(
      join(directory, 'accounts'),
      `<sip:${username}@${domain};transport=${transport}>;auth_user=${username};auth_pass=${password};outbound="${proxy}";regint=60\n`,
    )
    // without the module stdio, which spins on a closed standard input
    await writeFile(
      join(directory, 'config'),
      [
        'module_path /usr/lib/baresip/modules',
        'module g711.so',
        'module_app account.so',
        'net_interface 127.0.0.1',
        'sip_verify_server no',
        '',
      ].join('\n'),
    )
    return new Baresip(
      await Child.start('stdbuf', ['-oL', '-eL', 'baresip', '-v', '-f', directory]),
      directory,
    )
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
