/** docs/reference/endpoints.md: every endpoint of the API. */
import { endpoints } from './api.mjs'
import { code, page, prose, section, table } from './markdown.mjs'

const intro = `Paths are relative to \`https://<workspace>.<base domain>/api/v1\`, those of the operator to
\`https://admin.<base domain>/api/v1\`. \`/api/v1/openapi.json\` of a running appliance has parameters, bodies and answers, and
\`/api/v1/docs\` shows it. [The API](../integrate/api.md) says how to authenticate.

Where an API key may call, so may the operator and agents who are admins, with the rights of an owner's key of full scope.
The tier decides the [rate limit](limits.md#rate-limits).`

export function endpointsPage() {
  const tags = [...new Set(endpoints().flatMap(({ tags: own }) => own))].sort()
  return page(
    'API endpoints',
    intro,
    tags.map((tag) =>
      section(
        tag,
        table(
          ['endpoint', 'does', 'who may call', 'tier'],
          endpoints()
            .filter(({ tags: own }) => own.includes(tag))
            .map((one) => [
              code(one.endpoint),
              prose(one.summary),
              callers(one['x-auth']),
              one['x-rate-tier'],
            ]),
        ),
      ),
    ),
  )
}

/** @param {import('./api.mjs').Auth} auth */
function callers(auth) {
  if (auth.scheme === 'open') return 'anyone, on every host'
  if (auth.scheme === 'visitor') return 'anyone'
  if (auth.scheme === 'operator') return 'operator'
  if (auth.scheme === 'api_key') {
    const roles = auth.roles.length === 3 ? 'any role' : auth.roles.join(' or ')
    return `API key: ${roles}${auth.scope === 'full' ? ', full scope' : ''}`
  }
  const people = auth.kinds.map((kind) => kind.replace('_', ' ')).join(', ')
  return auth.roles.length === 3 ? people : `${people}: ${auth.roles.join(' or ')}`
}
