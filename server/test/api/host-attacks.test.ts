/** Hosts that are made to be misread: the host names the workspace (contract, Conventions 1), and nothing else does. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { personOf, startUnlimited } from './fixtures.js'

describe('attacks on the host', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let own: TestWorkspace
  let other: TestWorkspace

  before(async () => {
    appliance = await startUnlimited()
    own = await appliance.workspace()
    other = await appliance.workspace()
  })
  after(async () => appliance?.stop())

  const keyOf = ({ api }: TestWorkspace) => api.authorization ?? ''
  const nameOf = ({ id }: TestWorkspace) => `${id}.localhost`

  /** What the server answers to a request that is written by hand: its status and the workspace that it shows. */
  async function asked(
    target: string,
    headers: readonly string[],
  ): Promise<{ status: number; shows: unknown }> {
    const socket = connect(appliance.port, '127.0.0.1')
    socket.write([`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    await once(socket, 'close')
    const [head = '', body = ''] = text.split('\r\n\r\n')
    const json = /\{.*\}/s.exec(body)?.[0]
    const shown = json ? (JSON.parse(json) as { id?: unknown }).id : undefined
    return { status: Number(head.split(' ')[1]), shows: shown }
  }

  const profile = '/api/v1/profile'
  const authorization = (workspace: TestWorkspace) => `Authorization: ${keyOf(workspace)}`

  it('by upper case and a port name the same workspace', async () => {
    for (const host of [nameOf(own), nameOf(own).toUpperCase(), `${nameOf(own)}:${appliance.port}`]) {
      const answer = await asked(profile, [`Host: ${host}`, authorization(own)])
      expect(answer, host).to.deep.equal({ status: 200, shows: own.id })
    }
  })

  it('by names that are no workspace’s are refused', async () => {
    const [mine, theirs] = [nameOf(own), nameOf(other)]
    const hosts = [
      ...[`${mine}.`, `.${mine}`, `${mine}..`, `a.${mine}`, `${mine}.${theirs}`, `${own.id}..localhost`],
      ...[
        `${mine},${theirs}`,
        `${mine} ${theirs}`,
        `${mine}@${theirs}`,
        `${mine}:1:2`,
        `${mine}/`,
        `${mine}#x`,
      ],
      ...[own.id, 'localhost', '127.0.0.1', '[::1]', `${own.id}%2elocalhost`, `xn--${mine}`, ''],
    ]
    for (const host of hosts) {
      const answer = await asked(profile, [`Host: ${host}`, authorization(own)])
      expect(answer, host).to.deep.equal({ status: 400, shows: undefined })
    }
    expect((await asked(profile, [authorization(own)])).status, 'no host').to.equal(400)
  })

  it('by any other header change nothing', async () => {
    for (const name of ['X-Forwarded-Host', 'X-Host', 'X-Original-Host', 'Forwarded', 'X-Forwarded-Server']) {
      const value = name === 'Forwarded' ? `host=${nameOf(other)}` : nameOf(other)
      const headers = [`Host: ${nameOf(own)}`, `${name}: ${value}`]
      const answer = await asked(profile, [...headers, authorization(own)])
      expect(answer, name).to.deep.equal({ status: 200, shows: own.id })
      expect((await asked(profile, [...headers, authorization(other)])).status, name).to.equal(401)
    }
  })

  it('by the target of the request, or by a second header, never show what is another’s', async () => {
    const targets = [`http://${nameOf(other)}${profile}`, `//${nameOf(other)}${profile}`]
    for (const target of targets) {
      const answer = await asked(target, [`Host: ${nameOf(own)}`, authorization(own)])
      expect(answer.shows, target).to.be.oneOf([own.id, undefined])
      const crossed = await asked(target, [`Host: ${nameOf(own)}`, authorization(other)])
      expect(crossed.shows, target).to.equal(undefined)
    }
    const twice = [`Host: ${nameOf(own)}`, `Host: ${nameOf(other)}`]
    for (const workspace of [own, other]) {
      expect((await asked(profile, [...twice, authorization(workspace)])).shows).to.be.oneOf([
        own.id,
        undefined,
      ])
    }
  })

  it('with a key or a token of another workspace are refused', async () => {
    const { api } = await personOf(other, 'member')
    for (const credentials of [keyOf(other), api.authorization ?? '']) {
      for (const path of [profile, '/api/v1/me', '/api/v1/agents']) {
        const { status } = await asked(path, [`Host: ${nameOf(own)}`, `Authorization: ${credentials}`])
        expect(status, path).to.equal(401)
      }
    }
  })
})
