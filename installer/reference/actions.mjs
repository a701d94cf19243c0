/** docs/reference/actions.md: the actions of a script. */
import { allActions } from '../../server/dist/src/calls/actions/index.js'
import { page, prose, section, table } from './markdown.mjs'
import { parameterHeadings, parameterRows } from './parameters.mjs'

const intro = `A script is a list of \`{"action", "params", "continue", "auto_answer"}\`. [Make calls](../calls/making-calls.md#actions)
shows scripts and explains what the actions do in a call.`

export function actionsPage() {
  return page(
    'Call actions',
    intro,
    allActions.map(({ name, summary, params, requiredOutbound }) =>
      section(
        name,
        `${prose(summary)}.`,
        table(parameterHeadings, parameterRows(params, '', requiredOutbound)),
      ),
    ),
  )
}
