/** Programs of customers, one for each generator of clients; each is compiled with what its generator makes. */

/** What a program did over its client. */
export interface Called {
  /** The id of a contact that it made. */
  made: string | undefined
  found: string[] | undefined
  /** What the API said of a contact that it refused. */
  wrong: { status: number; statusCode: number | undefined; fields: string[] | undefined }
}

export type Program = (url: string, apiKey: string) => Promise<Called>

/** Of zod. */
export interface Schema {
  safeParse(value: unknown): { success: boolean; error?: { issues: unknown[] } }
}

const contact = `{ name: 'Zoe 😀', numbers: ['+12025550142'] }`
const noName = `{ name: '', numbers: ['+12025550142'] }`

const openapiTypescript = `
import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript'

export async function call(url: string, apiKey: string) {
  const client = createClient<paths>({
    baseUrl: url + '/api/v1',
    headers: { authorization: 'ApiKey ' + apiKey },
  })
  const made = await client.POST('/contacts', { body: ${contact} })
  const found = await client.GET('/contacts', { params: { query: { search: 'zoe', limit: 100 } } })
  const wrong = await client.POST('/contacts', { body: ${noName} })
  return {
    made: made.data?.id,
    found: found.data?.data.map(({ id }) => id),
    wrong: {
      status: wrong.response.status,
      statusCode: wrong.error?.statusCode,
      fields: wrong.error?.errors?.map(({ field }) => field),
    },
  }
}
`

const orval = `
import { getContacts, postContacts } from './orval-fetch'

export async function call(url: string, apiKey: string) {
  const options = { headers: { authorization: 'ApiKey ' + apiKey } }
  const made = await postContacts(${contact}, options)
  const found = await getContacts({ search: 'zoe', limit: 100 }, options)
  const wrong = await postContacts(${noName}, options)
  return {
    made: made.status === 201 ? made.data.id : undefined,
    found: found.status === 200 ? found.data.data.map(({ id }) => id) : undefined,
    wrong: {
      status: wrong.status,
      statusCode: wrong.status === 400 ? wrong.data.statusCode : undefined,
      fields: wrong.status === 400 ? wrong.data.errors?.map(({ field }) => field) : undefined,
    },
  }
}
`

const heyApi = `
import { getContacts, postContacts } from './hey'
import { client } from './hey/client.gen'

export async function call(url: string, apiKey: string) {
  client.setConfig({
    baseUrl: url + '/api/v1',
    auth: ({ type }) => (type === 'apiKey' ? 'ApiKey ' + apiKey : undefined),
  })
  const made = await postContacts({ body: ${contact} })
  const found = await getContacts({ query: { search: 'zoe', limit: 100 } })
  const wrong = await postContacts({ body: ${noName} })
  return {
    made: made.data?.id,
    found: found.data?.data.map(({ id }) => id),
    wrong: {
      status: wrong.response?.status ?? 0,
      statusCode: wrong.error?.statusCode,
      fields: wrong.error?.errors?.map(({ field }) => field),
    },
  }
}
`

/** By generator. */
export const clientPrograms = {
  'with-openapi-typescript': openapiTypescript,
  'with-orval': orval,
  'with-hey-api': heyApi,
}
