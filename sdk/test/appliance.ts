/** A real server for the SDK's tests; it is outside of this workspace's build, so it is found by address. */
import { createClient, dataOf } from '../src/index.js'
import './localhost.js'

interface Support {
  Appliance: {
    start(): Promise<{
      readonly port: number
      readonly operator: { readonly authorization: string | undefined }
      stop(): Promise<void>
    }>
  }
}

interface Database {
  stopSharedMariadb: () => Promise<void>
}

async function supportOf(name: string): Promise<unknown> {
  return import(new URL(`../../../server/dist/test/support/${name}.js`, import.meta.url).href)
}

/** A running server with the workspace acme, which may call out to the sandbox's lines. */
export interface TestAppliance {
  port: number
  /** Address of the workspace's host. */
  url: string
  /** An owner's key of full scope. */
  apiKey: string
  /** Address of the operator's host. */
  operatorUrl: string
  operatorToken: string
  stop(): Promise<void>
}

/** Path of this machine's Chromium. */
export async function chromiumPath(): Promise<string> {
  const { findChromium } = (await supportOf('browser')) as { findChromium: () => string | null }
  const path = findChromium()
  if (!path) throw new Error('this machine has no Chromium')
  return path
}

export async function startAppliance(): Promise<TestAppliance> {
  const { Appliance } = (await supportOf('appliance')) as Support
  const { stopSharedMariadb } = (await supportOf('mariadb')) as Database
  const appliance = await Appliance.start()
  const { port } = appliance
  const url = `http://acme.localhost:${port}`
  const operatorToken = appliance.operator.authorization?.split(' ')[1] ?? ''
  const operatorUrl = `http://admin.localhost:${port}`
  const operator = createClient({ url: operatorUrl, operatorToken })
  const workspace = { id: 'acme', title: 'Acme', country_code: 'US' }
  await dataOf(operator.POST('/workspaces', { body: workspace }))
  const inAcme = { params: { path: { id: 'acme' } } }
  await dataOf(operator.POST('/workspaces/{id}/credit', { ...inAcme, body: { amount: 5 } }))
  const owner = createClient({ url, operatorToken })
  const acl = await dataOf(
    owner.POST('/sip-trunks/acls', { body: { title: 'Carrier', mode: 'ip', allowed_ips: ['127.0.0.1'] } }),
  )
  const gateway = await dataOf(
    owner.POST('/sip-trunks/gateways', {
      body: {
        title: 'Carrier',
        outbound_caller_id: '+12025550199',
        outbound_uris: [{ uri: 'carrier.sandbox', port: 5060, protocol: 'udp', priority: 1 }],
      },
    }),
  )
  const number = await dataOf(
    owner.POST('/phone-numbers/connect', {
      body: {
        title: 'Main',
        number: '2025550199',
        country_code: 'US',
        inbound_acl_id: acl.id,
        outbound_gateway_id: gateway.id,
        enable_outbound: true,
      },
    }),
  )
  const path = { workspace_id: 'acme', id: number.id }
  await dataOf(operator.POST('/workspaces/{workspace_id}/phone-numbers/{id}/activate', { params: { path } }))
  const key = await dataOf(owner.POST('/api-keys', { body: { scope: 'full', role: 'owner' } }))
  return {
    port,
    url,
    apiKey: key.api_key,
    operatorUrl,
    operatorToken,
    async stop() {
      await appliance.stop()
      await stopSharedMariadb()
    },
  }
}
