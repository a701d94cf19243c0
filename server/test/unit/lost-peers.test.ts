import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { LostPeers, unconfirmed } from '../../src/infrastructure/http/lost-peers.js'

/** Of a server whose clients' networks were taken away: one kept sending six times in vain, one five times. */
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1FA3 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 8046193 1 0000 100 0 0 10 0
   1: 0109090A:1FA3 0209090A:888A 01 00000036:00000000 01:00000028 00000006     0        0 8046236 2 0000 326 4 31 1 -1
   2: 0109090A:1FA3 0309090A:888A 01 00000036:00000000 01:00000028 00000005     0        0 8046237 2 0000 326 4 31 1 -1
   3: 0109090A:888A 0209090A:1FA3 02 00000036:00000000 01:00000028 00000009     0        0 8046238 2 0000 326 4 31 1 -1
`
const table6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   1: 000000FD000000000000000001000000:1FA3 000000FD000000000000000002000000:9BA4 01 00000036:00000000 01:00000236 0000000A     0        0 8046235 2 0000 652 4 31 1 -1
   2: 0000000000000000FFFF00000109090A:1FA3 0000000000000000FFFF00000209090A:9BA4 01 00000036:00000000 01:00000236 00000007     0        0 8046235 2 0000 652 4 31 1 -1
`

describe('connections whose far end is lost', () => {
  it('are those that sent the same in vain too often, by the addresses that sockets tell', () => {
    assert.deepEqual(unconfirmed(table), ['8099 10.9.9.2 34954'])
    assert.deepEqual(unconfirmed(table6), ['8099 fd00::2 39844', '8099 ::ffff:10.9.9.2 39844'])
    assert.deepEqual(unconfirmed(''), [])
  })

  it('are looked for in tables that this machine has', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = connect(port, '127.0.0.1')
    const [socket] = (await once(server, 'connection')) as [typeof client]
    const peers = new LostPeers()
    peers.watch(socket)
    const line = (await readFile('/proc/net/tcp', 'utf8'))
      .split('\n')
      .find((one) => one.includes(` 0100007F:${hex(port)} 0100007F:${hex(client.localPort ?? 0)} 01 `))
    // As it would look after six tries.
    const lost = line?.replace(/^((?:\s*\S+){6})\s+\S+/, '$1 00000006') ?? ''
    assert.deepEqual(unconfirmed(lost), [`${port} ${socket.remoteAddress} ${socket.remotePort}`])
    assert.deepEqual(unconfirmed(line ?? ''), [])
    client.destroy()
    await once(socket, 'close')
    server.close()
  })
})

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}
