/** Routes by the first part of their paths, in a Koa application on a free port. */
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { RouteTable } from '../../src/infrastructure/http/route-table.js'

describe('route table', () => {
  let server: Server

  const answering = (text: string): Koa.Middleware[] => [
    (ctx) => {
      ctx.body = `${text} ${JSON.stringify((ctx as unknown as { params: object }).params)}`
    },
  ]

  before(async () => {
    const table = new RouteTable()
    table.add('GET', '/calls/:id', answering('call'))
    table.add('GET', '/calls', answering('calls'))
    table.add('POST', '/calls/make', answering('made'))
    table.add('GET', '/contacts/all', answering('all contacts'))
    table.add('GET', '/contacts/:id', answering('contact'))
    const app = new Koa()
    app.use(table.routes())
    app.use((ctx) => {
      ctx.body = 'nobody'
    })
    const answer = app.callback()
    server = createServer((request, response) => void answer(request, response))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  })
  after((done) => void server.close(done))

  async function asked(path: string, method = 'GET'): Promise<string> {
    const { port } = server.address() as AddressInfo
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method })).text()
  }

  it('finds those of a path and a method, with what the path names', async () => {
    expect(await asked('/api/v1/calls')).to.equal('calls {}')
    expect(await asked('/api/v1/calls/a%20b?limit=1')).to.equal('call {"id":"a b"}')
    expect(await asked('/api/v1/calls/make', 'POST')).to.equal('made {}')
  })

  it('tries those that begin alike in their order', async () => {
    expect(await asked('/api/v1/contacts/all')).to.equal('all contacts {}')
    expect(await asked('/api/v1/contacts/some')).to.equal('contact {"id":"some"}')
  })

  it('takes a path in any case, and with a slash at its end', async () => {
    expect(await asked('/API/v1/Calls/')).to.equal('calls {}')
  })

  it('leaves the rest to others', async () => {
    for (const path of [
      '/',
      '/api/v1',
      '/api/v1/',
      '/api/v1/callsign',
      '/api/v1/calls/1/2',
      '/calls',
      '/api/v2/calls',
    ])
      expect(await asked(path), path).to.equal('nobody')
    expect(await asked('/api/v1/calls', 'DELETE')).to.equal('nobody')
  })

  it('refuses a path whose first part is anybody’s', () => {
    expect(() => new RouteTable().add('GET', '/:id', answering('x'))).to.throw('the first part of /:id')
  })
})
