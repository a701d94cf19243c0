/** The system user of the appliance. */
import { execFileSync, spawnSync } from 'node:child_process'
import { Failure } from '../failure.mjs'

/**
 * @param {string} name
 * @returns {{uid: number, gid: number} | null} null when there is no such user
 */
export function userNamed(name) {
  const { stdout, status } = spawnSync('getent', ['passwd', name], { encoding: 'utf8' })
  const [, , uid, gid] = status === 0 ? stdout.trim().split(':') : []
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) }
}

/**
 * @param {string} name
 * @param {string} home
 * @returns {{uid: number, gid: number, made: boolean}}
 * @throws {Failure}
 */
export function ensureUser(name, home) {
  const there = userNamed(name)
  if (there?.uid === 0) throw new Failure(`--user ${name} is root: name a user without its rights`)
  if (there) return { ...there, made: false }
  const args = ['--system', '--user-group', '--home-dir', home, '--no-create-home', '--shell']
  const { stderr } = spawnSync('useradd', [...args, '/usr/sbin/nologin', name], { encoding: 'utf8' })
  const made = userNamed(name)
  // Another run may have created it meanwhile.
  if (!made) throw new Failure(`the user ${name} cannot be made: ${stderr.trim()}`)
  return { ...made, made: true }
}

/**
 * Checks that a user can read the files: a checkout in root's home is not accessible.
 * @param {string} user
 * @param {string[]} paths
 * @throws {Failure} naming the first that it cannot read
 */
export function requireReadable(user, paths) {
  const hidden = paths.find(
    (path) => spawnSync('runuser', ['-u', user, '--', 'test', '-r', path]).status !== 0,
  )
  if (hidden) {
    throw new Failure(
      `the user ${user} cannot read ${hidden}: put it where all may read, such as /opt/jackfield for the checkout`,
    )
  }
}

/**
 * Gives everything below a folder to a user, unless it belongs to the user already.
 * @param {string} folder
 * @param {{uid: number, gid: number}} owner
 */
export function giveTo(folder, { uid, gid }) {
  execFileSync('find', [
    folder,
    '(',
    '!',
    '-uid',
    String(uid),
    '-o',
    '!',
    '-gid',
    String(gid),
    ')',
    '-exec',
    'chown',
    '-h',
    `${uid}:${gid}`,
    '{}',
    '+',
  ])
}
