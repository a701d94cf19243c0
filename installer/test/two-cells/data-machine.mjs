/** The machine that all cells share: a MariaDB and a Redis, set up as docs/operate/cells.md says. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installArguments } from '../../parts/mariadb.mjs'
import { until } from '../../waiting.mjs'

/** @typedef {import('./machines.mjs').Machines} Machines */

/** @typedef {{kill: () => void, restart: () => Promise<void>}} DataNode as a crash does; as one of a cluster that goes on */

export const password = 'a-password-of-the-tests'

const STATEMENTS = `
CREATE DATABASE jackfield CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE USER 'jackfield'@'10.0.0.%' IDENTIFIED BY '${password}';
GRANT ALL ON jackfield.* TO 'jackfield'@'10.0.0.%';
`

const GALERA = '/usr/lib/galera/libgalera_smm.so'

/**
 * Starts both on a machine; they end with it.
 * @param {Machines} machines
 * @param {string} name of the machine
 * @param {string[]} addresses of the machine: of one MariaDB, or of each node of a Galera cluster; Redis has the first
 * @param {string} directory for data, which everybody may pass
 * @returns {Promise<Map<string, DataNode>>} each MariaDB, by its address
 */
export async function startData(machines, name, addresses, directory) {
  const [first = ''] = addresses
  /** @type {Map<string, DataNode>} */
  const nodes = new Map()
  machines.spawn(name, [
    ...['redis-server', '--bind', first, '--port', '6379', '--requirepass', password],
    ...['--save', '', '--appendonly', 'no', '--dir', directory],
  ])
  const statements = join(directory, 'init.sql')
  writeFileSync(statements, STATEMENTS)
  for (const address of addresses) {
    const data = join(directory, address)
    mkdirSync(data)
    execFileSync('mariadb-install-db', [...installArguments(data), '--user=mysql'], { stdio: 'pipe' })
    chownSync(data, ...ownerOf('mysql'))
    const before = addresses.slice(0, addresses.indexOf(address))
    const start = async (/** @type {string[]} */ known, /** @type {string[]} */ more) => {
      const child = machines.spawn(name, [
        ...['/usr/sbin/mariadbd', '--no-defaults', '--user=mysql', `--datadir=${data}`],
        ...[`--bind-address=${address}`, '--port=3306', `--socket=${join(data, 'socket')}`],
        ...[`--log-error=${join(data, 'log')}`, '--skip-name-resolve', '--max-connections=300'],
        ...['--innodb-log-file-size=48M', ...more],
        ...(addresses.length > 1 ? clusterArguments(address, known) : []),
      ])
      await answers(machines, name, address)
      return child
    }
    let child = await start(before, address === first ? [`--init-file=${statements}`] : [])
    nodes.set(address, {
      kill: () => void child.kill('SIGKILL'),
      restart: async () => {
        const others = addresses.filter((one) => one !== address)
        child = await start(others, [])
      },
    })
  }
  return nodes
}

/** @param {string} address of the node @param {string[]} known addresses of nodes of the cluster; none begins one */
function clusterArguments(address, known) {
  return [
    ...['--wsrep-on=ON', `--wsrep-provider=${GALERA}`, '--wsrep-cluster-name=jackfield'],
    ...[`--wsrep-cluster-address=gcomm://${known.join(',')}`, `--wsrep-node-address=${address}`],
    ...['--wsrep-sst-method=rsync', '--binlog-format=ROW', '--innodb-autoinc-lock-mode=2'],
    `--wsrep-provider-options=gmcast.listen_addr=tcp://${address}:4567;ist.recv_addr=${address}:4568`,
  ]
}

/** @param {Machines} machines @param {string} name @param {string} address */
async function answers(machines, name, address) {
  const login = { host: address, port: 3306, user: 'jackfield', password }
  const script = `import(${JSON.stringify(new URL('../../mysql-login.mjs', import.meta.url).href)})
    .then(({ mysqlLogin }) => mysqlLogin(${JSON.stringify(login)}))`
  const [program = '', ...args] = [...machines.on(name), process.execPath, '-e', script]
  await until(
    () => {
      const { status } = spawnSync(program, args)
      return status === 0 ? Promise.resolve() : Promise.reject(new Error('not yet'))
    },
    { deadlineMs: 60_000, what: `the shared database at ${address} being ready` },
  )
}

/** @param {string} user @returns {[number, number]} */
function ownerOf(user) {
  const id = (/** @type {string} */ which) => Number(execFileSync('id', [which, user], { encoding: 'utf8' }))
  return [id('-u'), id('-g')]
}
