/**
 * The file of a backup: a tar of `manifest.json`, `database.sql.gz`, the places' files and, last, `SHA256SUMS`, which
 * `sha256sum -c` reads; with a passphrase all of it within OpenPGP (`gpg -d backup.tar.gpg | tar x` opens one by hand).
 * tar, sha256sum and gpg are Debian's: a backup can be read without our programs.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../failure.mjs'
import { pipe } from './pipe.mjs'

export const SUMS = 'SHA256SUMS'
export const MANIFEST = 'manifest.json'
export const DUMP = 'database.sql.gz'

/**
 * Writes the checksums of all files of some folders.
 * @param {{folder: string, names: string[]}[]} parts
 * @param {string} file
 */
export async function writeSums(parts, file) {
  for (const { folder, names } of parts) {
    const output = createWriteStream(file, { flags: 'a', mode: 0o600, flush: true })
    await pipe(
      [
        { command: 'find', args: [...names, '-type', 'f', '-print0'], cwd: folder },
        { command: 'sort', args: ['--zero-terminated'] },
        { command: 'xargs', args: ['--null', '--no-run-if-empty', 'sha256sum', '--'], cwd: folder },
      ],
      { output, what: 'the sums of the files' },
    )
  }
}

/**
 * Whether the files of a folder match their checksums.
 * @param {string} folder
 * @param {string[]} [flags] more of sha256sum
 * @throws {Failure} naming those that do not
 */
export async function checkSums(folder, flags = []) {
  const args = ['--check', '--quiet', '--strict', ...flags, SUMS]
  await pipe([{ command: 'sha256sum', args, cwd: folder }], { what: 'the backup is damaged' })
}

/**
 * @param {{folder: string, names: string[]}[]} parts
 * @param {string} file
 * @param {string | undefined} passphraseFile
 * @param {number} [since] start of the checksums, in milliseconds since 1970 [now]
 */
export async function pack(parts, file, passphraseFile, since = Date.now()) {
  const where = parts.flatMap(({ folder, names }) => ['-C', folder, ...names])
  const tar = {
    command: 'tar',
    args: ['--create', '--file=-', '--format=posix', '--sort=name', ...where],
    mayEndSo: (/** @type {number | null} */ code, /** @type {string} */ said) =>
      code === 1 && areOnlyUnlinked(parts, said, since),
  }
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  await withGpg(passphraseFile, (gpg) =>
    pipe(
      [
        tar,
        ...(gpg ? [gpg(['--symmetric', '--cipher-algo', 'AES256', '--compress-algo', 'none', ...SLOW])] : []),
      ],
      { output, what: 'the backup cannot be written' },
    ),
  )
}

/**
 * Whether tar complains only about files that were deleted in their place while it read our links to them: that
 * changes their ctime, which tar 1.34 reports as a change of content.
 * @param {{folder: string, names: string[]}[]} parts
 * @param {string} said
 * @param {number} since
 */
function areOnlyUnlinked(parts, said, since) {
  return said
    .trim()
    .split('\n')
    .every((line) => {
      const [, path] = /^tar: (.+): file changed as we read it$/.exec(line) ?? []
      const part = parts.find(({ names }) => path && names.includes(path.split('/')[0] ?? ''))
      if (!path || !part) return false
      return (lstatSync(join(part.folder, path), { throwIfNoEntry: false })?.mtimeMs ?? since) < since
    })
}

/** Slow key derivation against guessing, by OpenPGP's own means. */
const SLOW = ['--s2k-mode', '3', '--s2k-digest-algo', 'SHA512', '--s2k-count', '65011712']

/**
 * @param {string} file
 * @param {string} folder empty
 * @param {string | undefined} passphraseFile
 * @param {string[]} [names] only these; all without
 */
export async function unpack(file, folder, passphraseFile, names = []) {
  const sealed = await isSealed(file)
  if (sealed && !passphraseFile)
    throw new Failure(`${file} is encrypted: name the file that holds its passphrase with --passphrase-file`)
  const tar = { command: 'tar', args: ['--extract', '--no-same-owner', '--file=-', '-C', folder, ...names] }
  const what = `${file} cannot be read`
  await withGpg(sealed ? passphraseFile : undefined, (gpg) =>
    pipe([...(gpg ? [gpg(['--decrypt'])] : []), tar], { input: createReadStream(file), what }),
  )
}

/** @param {string} file @returns {Promise<boolean>} whether it is encrypted */
async function isSealed(file) {
  const handle = await open(file, 'r')
  try {
    const head = Buffer.alloc(262)
    await handle.read(head, 0, head.length, 0)
    return head.toString('latin1', 257, 262) !== 'ustar'
  } finally {
    await handle.close()
  }
}

/**
 * Calls `work` with a gpg stage that has its own home folder and starts no agent.
 * @param {string | undefined} passphraseFile
 * @param {(gpg: ((args: string[]) => import('./pipe.mjs').Stage) | null) => Promise<void>} work
 */
async function withGpg(passphraseFile, work) {
  if (!passphraseFile) return work(null)
  const home = mkdtempSync(join(tmpdir(), 'jackfield-gpg-'))
  const options = ['--batch', '--quiet', '--no-options', '--no-autostart', '--pinentry-mode', 'loopback']
  try {
    await work((args) => ({
      command: 'gpg',
      args: ['--homedir', home, ...options, '--passphrase-file', passphraseFile, ...args],
    }))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/**
 * @param {string} path
 * @throws {Failure} if the passphrase is too weak
 */
export async function checkPassphrase(path) {
  const [line = ''] = (
    await readFile(path, 'utf8').catch((error) => {
      throw new Failure(`--passphrase-file cannot be read: ${error.message}`)
    })
  ).split('\n')
  if (line.length < 12)
    throw new Failure(`the first line of ${path} must be a passphrase of 12 characters or more`)
}

/** @param {string} path @returns {Promise<string>} sha256 of a file, in hex */
export async function sumOf(path) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
