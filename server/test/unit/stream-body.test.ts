import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Writable } from 'node:stream'
import type { Subscriber } from '../../src/features/realtime/audience.js'
import { StreamBody } from '../../src/features/realtime/stream-body.js'

const subscriber: Subscriber = {
  ...{ stream_id: 'str_1', workspace_id: 'acme', call_id: null, credential: 'ses_1', device_id: null },
  kind: 'agent',
  id: 'ag_1',
}

const bodyOf = (maxBacklogBytes: number) =>
  new StreamBody({ subscriber, expiresAt: Date.now() + 60_000, maxBacklogBytes })

/** A reader that takes what it is given, or nothing until it is told to. */
class Reader extends Writable {
  text = ''
  release: (() => void) | undefined

  constructor(private readonly isSlow: boolean) {
    super({ highWaterMark: 100 })
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString()
    if (this.isSlow) this.release = done
    else done()
  }
}

describe('the body of a stream', () => {
  it('holds what a slow reader has not taken, up to its bound, and is cut then', async () => {
    const body = bodyOf(1_000)
    const reader = new Reader(true)
    body.pipe(reader)
    const closed = once(body, 'close')
    // The first is with the reader, which has room for no more.
    for (let sent = 0; sent < 11; sent++) {
      body.send(Buffer.alloc(100, 'x'))
      await sleep(1)
      assert.equal(body.destroyed, false, `after ${sent + 1}`)
    }
    body.send(Buffer.alloc(100, 'x'))
    await closed
    body.send(Buffer.from('nothing is sent after that'))
    assert.equal(body.destroyed, true)
  })

  it('is never cut while its reader keeps pace', async () => {
    const body = bodyOf(1_000)
    const reader = new Reader(false)
    body.pipe(reader)
    for (let sent = 0; sent < 100; sent++) {
      body.send(Buffer.alloc(100, 'x'))
      await sleep(0)
    }
    assert.equal(reader.text.length, 10_000)
    assert.equal(body.destroyed, false)
    body.destroy()
  })

  it('says why it ends, once, and ends with what was sent before', async () => {
    const body = bodyOf(1_000)
    const reader = new Reader(false)
    body.pipe(reader)
    let ending = 0
    body.on('ending', () => (ending += 1))
    body.send(Buffer.from('event: a\ndata: {}\n\n'))
    body.end('token_expired')
    body.end('session_ended')
    body.send(Buffer.from('late'))
    await once(reader, 'finish')
    assert.match(
      reader.text,
      /^event: a\ndata: {}\n\nevent: stream\.closed\ndata: {.*"reason":"token_expired".*}\n\n$/,
    )
    assert.equal(ending, 1)
  })
})
