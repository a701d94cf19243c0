/** Start and health scripts of the containers: `setup` writes them beside each configuration. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REQUIRED_MODULES, freeswitchArguments } from '../parts/freeswitch.mjs'
import { kamailioArguments } from '../parts/kamailio.mjs'
import { installArguments } from '../parts/mariadb.mjs'

/** Path in Kamailio's image. */
const FORK_HANDLER = '/usr/local/lib/jackfield/fork-handler.so'

/** The server expects this journal to exist. */
const JOURNAL_MODULE = 'mod_cdr_csv'

/** @param {{directory: string, rpcHost: string, rpcPort: number, rpcSecret: string}} options */
export function kamailioScripts({ directory, rpcHost, rpcPort, rpcSecret }) {
  const request = join(directory, 'rpc.curl')
  write(directory, 'start', [
    `export LD_PRELOAD=${FORK_HANDLER}`,
    `exec ${line(['kamailio', ...kamailioArguments(directory)])}`,
  ])
  // in a file, because process arguments are visible to all users
  writePrivately(request, [
    `url = "http://${isIPv6(rpcHost) ? `[${rpcHost}]` : rpcHost}:${rpcPort}/RPC"`,
    `header = "Authorization: Bearer ${rpcSecret}"`,
    `data = "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"core.uptime\\"}"`,
  ])
  write(directory, 'health', [
    `exec ${line(['curl', '--silent', '--show-error', '--fail', '--max-time', '3', '--output', '/dev/null', '--config', request])}`,
  ])
}

/** @param {{directory: string, port: number, user: string, password: string}} options @param {string} config */
export function mariadbScripts({ directory, port, user, password }, config) {
  const [data, half] = [join(directory, 'data'), join(directory, 'data.new')]
  const client = join(directory, 'health.cnf')
  write(directory, 'start', [
    `if [ ! -d ${quote(join(data, 'mysql'))} ]; then`,
    `  rm -rf ${quote(half)}`,
    `  mkdir -m 750 ${quote(half)}`,
    `  ${line(['mariadb-install-db', ...installArguments(half)])}`,
    `  mv ${quote(half)} ${quote(data)}`,
    'fi',
    `exec ${line(['mariadbd', `--defaults-file=${config}`])}`,
  ])
  writePrivately(client, [
    '[client]',
    'host = 127.0.0.1',
    `port = ${port}`,
    `user = ${user}`,
    `password = ${password}`,
  ])
  // unlike `ping`, `status` checks the login
  write(directory, 'health', [
    `exec ${line(['mariadb-admin', `--defaults-file=${client}`, '--connect-timeout=3', 'status'])} > /dev/null`,
  ])
}

/**
 * With an external database this container only waits, so that its dependents start.
 * @param {string} directory
 */
export function idleScripts(directory) {
  write(directory, 'start', ['exec sleep infinity'])
  write(directory, 'health', ['exit 0'])
}

/** @param {{directory: string, eslPort: number, eslPassword: string}} options */
export function freeswitchScripts({ directory, eslPort, eslPassword }) {
  const template = readFileSync(fileURLToPath(new URL('start-freeswitch.sh', import.meta.url)), 'utf8')
  const values = {
    REQUIRED: [...REQUIRED_MODULES, JOURNAL_MODULE].join(' '),
    ARGUMENTS: line(freeswitchArguments(directory)),
  }
  const start = template.replace(
    /@@(\w+)@@/g,
    (whole, name) => values[/** @type {'REQUIRED'} */ (name)] ?? whole,
  )
  writePrivately(join(directory, 'start'), [start.trimEnd()])
  // fs_cli reads its login from .fs_cli_conf in the home
  writePrivately(join(directory, '.fs_cli_conf'), [
    ...['[default]', 'host => 127.0.0.1', `port => ${eslPort}`, `password => ${eslPassword}`],
  ])
  write(directory, 'health', [
    `PATH="$PATH:/usr/local/freeswitch/bin:/opt/freeswitch/bin"`,
    `HOME=${quote(directory)} fs_cli -t 3000 -x 'sofia status profile edge' | grep -q 'URL.*sip:'`,
  ])
}

/** @param {{directory: string, password: string, port: number, addresses: string[]}} options */
export function redisScripts({ directory, password, port, addresses }) {
  const config = join(directory, 'redis.conf')
  writePrivately(config, [
    ...[`bind ${addresses.join(' ')}`, `port ${port}`, `requirepass ${password}`],
    // its data need not survive a restart
    ...['save ""', 'appendonly no', 'maxmemory 256mb', 'dir /tmp'],
  ])
  writePrivately(join(directory, 'password'), [password])
  write(directory, 'start', [`exec ${line(['redis-server', config])}`])
  write(directory, 'health', [
    `REDISCLI_AUTH="$(cat ${quote(join(directory, 'password'))})"`,
    'export REDISCLI_AUTH',
    `redis-cli -p ${port} ping | grep -q PONG`,
  ])
}

/** @param {string} directory @param {string} name @param {string[]} lines */
function write(directory, name, lines) {
  writePrivately(join(directory, name), ['#!/bin/sh', 'set -eu', ...lines])
}

/** @param {string} path @param {string[]} lines */
function writePrivately(path, lines) {
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
}

/** @param {string[]} words */
function line(words) {
  return words.map(quote).join(' ')
}

/** @param {string} word */
function quote(word) {
  return /^[\w./:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
