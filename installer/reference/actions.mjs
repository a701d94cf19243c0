/** docs/reference/actions.md: the actions of a script. */
import { allActions } from '../../server/dist/src/features/calls/script/actions/index.js'
import { hangupCauses, refusalStatus } from '../../server/dist/src/adapters/freeswitch/hangup-causes.js'
import { code, page, prose, section, table } from './markdown.mjs'
import { parameterHeadings, parameterRows } from './parameters.mjs'

const intro = `A script is a list of \`{"action", "params", "continue", "auto_answer"}\`. [Make calls](../calls/making-calls.md#actions)
shows scripts and explains what the actions do in a call.`

export function actionsPage() {
  return page('Call actions', intro, [
    ...allActions.map(({ name, summary, params, requiredOutbound }) =>
      section(
        name,
        `${prose(summary)}.`,
        table(parameterHeadings, parameterRows(params, '', requiredOutbound)),
      ),
    ),
    section(
      'Hang-up causes',
      'The causes of `hangup` and `disconnect`, and the SIP status with which a caller is refused who was not answered. An answered call ends with a BYE that names the cause in `Reason`.',
      table(
        ['cause', 'SIP status'],
        hangupCauses.map((cause) => [code(cause), String(refusalStatus(cause))]),
      ),
    ),
  ])
}
