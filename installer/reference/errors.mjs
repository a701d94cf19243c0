/** docs/reference/errors.md: the statuses with which the API refuses, and why. */
import { STATUS_CODES } from 'node:http'
import { endpoints } from './api.mjs'
import { codes, page, prose, section, table } from './markdown.mjs'

const intro = `A failure has the body \`{"statusCode", "message", "error", "errors"}\`: [The API](../integrate/api.md#errors) explains
it. These are the reasons for which endpoints answer each status.`

/** A reason of more endpoints than this counts as general. */
const mostNamed = 12

export function errorsPage() {
  const failures = endpoints().flatMap(({ endpoint, responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description }]) => ({ status, description, endpoint })),
  )
  const statuses = [...new Set(failures.map(({ status }) => status))].sort()
  return page(
    'API errors',
    intro,
    statuses.map((status) =>
      section(
        `${status} ${STATUS_CODES[status] ?? ''}`,
        reasons(failures.filter((one) => one.status === status)),
      ),
    ),
  )
}

/** @param {readonly {description: string, endpoint: string}[]} failures of one status */
function reasons(failures) {
  const descriptions = [...new Set(failures.map(({ description }) => description))]
  return table(
    ['reason', 'endpoints'],
    descriptions.map((description) => {
      const those = failures.filter((one) => one.description === description).map(({ endpoint }) => endpoint)
      return [prose(description), those.length > mostNamed ? `${those.length} endpoints` : codes(those)]
    }),
  )
}
