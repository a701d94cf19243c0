/** The sandbox's SMSC as an SMS carrier, for numbers of `jackfield demo`. */
import { type JackfieldClient, dataOf } from '@jackfield/sdk'
import type { SmscAddress } from './appliance-file.js'
import { call } from './endpoints.js'

const title = 'Sandbox'
const assigned = '/workspaces/{workspace_id}/phone-numbers/{id}/carriers'

/** Assigns the sandbox's carrier to a number without one. */
export async function textOverSandbox(
  operator: JackfieldClient,
  path: { workspace_id: string; id: string },
  smsc: SmscAddress,
): Promise<void> {
  const { carriers } = await call(operator, 'get', assigned, { path })
  if (carriers.length > 0) return
  const body = { carrier_ids: [await sandboxCarrier(operator, smsc)] }
  await call(operator, 'put', assigned, { path, body })
}

/** The id of the carrier, which is created if necessary. */
async function sandboxCarrier(operator: JackfieldClient, smsc: SmscAddress): Promise<string> {
  const settings = { ...smsc }
  const found = await dataOf(operator.GET('/carriers', { params: { query: { search: title } } }))
  const known = found.data.find((carrier) => carrier.title === title && carrier.kind === 'smpp')
  if (!known) {
    const body = { title, kind: 'smpp', settings } as const
    return (await dataOf(operator.POST('/carriers', { body }))).id
  }
  // The appliance may have changed its port since.
  const changed = 'port' in known.settings && known.settings.port !== smsc.port
  const params = { path: { id: known.id } }
  if (changed) await dataOf(operator.PATCH('/carriers/{id}', { params, body: { settings } }))
  return known.id
}
