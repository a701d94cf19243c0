/** A Debian 12 with nothing but Node, made by debootstrap in a folder: what the README asks a newcomer to have. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const release = 'bookworm'
const mirror = 'http://deb.debian.org/debian'

/** A slow mirror may take long, and one may hang for ever. */
const madeWithinMs = 10 * 60_000

/** Deadline of a script, which may install packages over the network and compile. */
const scriptWithinMs = 25 * 60_000

/** How this machine reaches npm and Debian; what is not there is not needed. */
const network = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/ssl/certs/ca-certificates.crt',
  '/usr/etc/npmrc',
  '/root/.npmrc',
]

/**
 * A command with mounts and processes of its own: all of them end with it, and it ends with this process, however that
 * ends.
 */
function within(proc: string[], command: string[]): [command: string, args: string[]] {
  const own = ['--mount', '--pid', '--fork', '--kill-child', ...proc]
  return ['/usr/bin/setpriv', ['--pdeathsig', 'KILL', '/usr/bin/unshare', ...own, ...command]]
}

export class BareDebian {
  private running: ChildProcess | undefined

  private constructor(private readonly root: string) {
    process.once('exit', this.leave)
  }

  /** @throws when debootstrap is not installed, or this is not root */
  static async make(): Promise<BareDebian> {
    const debian = new BareDebian(await mkdtemp(join(tmpdir(), 'jackfield-bare-')))
    try {
      const packages = ['--variant=minbase', '--include=ca-certificates']
      const [command, args] = within(
        ['--mount-proc'],
        ['debootstrap', ...packages, release, debian.root, mirror],
      )
      const made = run(command, args, { timeout: madeWithinMs, killSignal: 'SIGKILL' })
      debian.running = made.child
      await made
      // Nothing starts services here, as in containers.
      await debian.write('/usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755)
      for (const path of network) await debian.copyIfThere(path)
      await debian.addNode()
      return debian
    } catch (error) {
      await debian.remove()
      throw error
    }
  }

  /** Puts a clone of a repository's last commit into a folder. */
  async clone(repository: string, folder: string): Promise<void> {
    await run('git', ['clone', '--quiet', '--no-hardlinks', repository, join(this.root, folder)])
  }

  /** Copies the FreeSWITCH of this machine and the libraries that it needs and a bare Debian does not have. */
  async addFreeswitch(binary: string): Promise<void> {
    const home = dirname(dirname(await realpath(binary)))
    await cp(home, join(this.root, home), { recursive: true, verbatimSymlinks: true })
    const { stdout } = await run('sh', [
      '-c',
      'ldd "$1"/bin/freeswitch "$1"/lib/freeswitch/mod/*.so 2>/dev/null',
      'sh',
      home,
    ])
    const libraries = new Set([...stdout.matchAll(/=> (\/\S+)/g)].map(([, path = '']) => path))
    for (const path of libraries) {
      if (path.startsWith(home) || (await this.has(path))) continue
      await cp(await realpath(path), join(this.root, '/usr/local/lib', path.split('/').at(-1) ?? ''))
    }
    await run('chroot', [this.root, 'ldconfig'])
  }

  /**
   * Runs a script of the shell in it, on the network of this machine and with processes of its own: none is left.
   * @param heard hears each line of its output, with the milliseconds since it began
   * @returns its exit code; 1 when it was ended, as it took longer than 25 minutes
   */
  async script(folder: string, text: string, heard: (line: string, ms: number) => void): Promise<number> {
    await this.write('/root/script.sh', text, 0o755)
    const [command, args] = within(
      [`--mount-proc=${this.root}/proc`],
      ['chroot', this.root, 'bash', '-c', `cd ${folder} && exec bash /root/script.sh 2>&1`],
    )
    const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' }
    const begin = performance.now()
    const child = spawn(command, args, {
      ...{ env, stdio: ['ignore', 'pipe', 'inherit'] },
      ...{ timeout: scriptWithinMs, killSignal: 'SIGKILL' },
    })
    this.running = child
    return new Promise((resolve, reject) => {
      let open = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (open + chunk).split('\n')
        open = lines.pop() ?? ''
        for (const line of lines) heard(line, performance.now() - begin)
      })
      child.on('error', reject).on('close', (code) => resolve(code ?? 1))
    })
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 })
    process.off('exit', this.leave)
  }

  /** Cleans up when this process gets a signal to end. */
  private readonly leave = () => {
    this.running?.kill('SIGKILL')
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
  }

  /** Node and npm of this machine, as a package of NodeSource would put them there: not those that run the server. */
  private async addNode(): Promise<void> {
    const node = process.env['npm_node_execpath'] ?? process.execPath
    await cp(node, join(this.root, '/usr/bin/node'))
    const npm = dirname(dirname(await realpath(join(dirname(node), 'npm'))))
    await cp(npm, join(this.root, '/usr/lib/node_modules/npm'), { recursive: true })
    for (const name of ['npm', 'npx']) {
      await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(this.root, '/usr/bin', name))
    }
  }

  private async copyIfThere(path: string): Promise<void> {
    const to = join(this.root, path)
    await mkdir(dirname(to), { recursive: true })
    await cp(path, to, { recursive: true, dereference: true, force: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    })
  }

  private async has(path: string): Promise<boolean> {
    return readFile(join(this.root, path)).then(
      () => true,
      () => false,
    )
  }

  private async write(path: string, text: string, mode: number): Promise<void> {
    await writeFile(join(this.root, path), text)
    await chmod(join(this.root, path), mode)
  }
}
