import { expect } from 'chai'
import { describe, it } from 'mocha'
import { createServer } from 'node:net'
import { requireFreePorts } from '../ports.mjs'
import { freePorts } from './support.mjs'

/**
 * @param {number} port
 * @param {Partial<import('../ports.mjs').Port>} [more]
 * @returns {import('../ports.mjs').Port}
 */
function tcp(port, more = {}) {
  return {
    protocol: 'tcp',
    host: '127.0.0.1',
    port,
    purpose: 'the API',
    setting: 'JACKFIELD_HTTP_PORT',
    ...more,
  }
}

/** @param {Promise<unknown>} promise */
async function messageFrom(promise) {
  try {
    await promise
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

describe('the check of ports', () => {
  it('passes ports that are free', async () => {
    const [port = 0] = await freePorts(1)
    await requireFreePorts([tcp(port)])
  })

  it('names the port, who holds it and the setting that changes it', async () => {
    const server = createServer()
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const message = await messageFrom(requireFreePorts([tcp(port)]))
    await new Promise((resolve) => server.close(resolve))
    expect(message).to.match(
      new RegExp(
        `^TCP port ${port} on 127\\.0\\.0\\.1 \\(the API\\) is in use by .*\\(pid ${process.pid}\\)`,
      ),
    )
    expect(message).to.include('JACKFIELD_HTTP_PORT')
  })

  it('names an address that is not of this machine', async () => {
    const port = tcp(5060, { host: '192.0.2.1', hostSetting: 'JACKFIELD_SIP_HOST' })
    expect(await messageFrom(requireFreePorts([port])))
      .to.include('192.0.2.1')
      .and.include('correct JACKFIELD_SIP_HOST')
  })

  it('finds two settings that name the same port', async () => {
    const [port = 0] = await freePorts(1)
    const both = [tcp(port), tcp(port, { setting: 'JACKFIELD_SWITCH_PORT' })]
    expect(await messageFrom(requireFreePorts(both))).to.include(
      'JACKFIELD_HTTP_PORT and JACKFIELD_SWITCH_PORT both name',
    )
  })
})
