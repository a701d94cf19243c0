/** Checks of an HTTP carrier's settings that a schema cannot express. */
import type { SettingProblem } from '../../carrier-kind.js'
import { brokenPointerRule } from './pointers.js'
import type { HttpCarrierSettings } from './settings.js'
import { TemplateError, compileTemplate } from './template.js'

/** Everything that is wrong; nothing when they can be used. */
export function settingProblems(settings: HttpCarrierSettings): SettingProblem[] {
  const { method, content_type } = settings
  const isForm = content_type === 'application/x-www-form-urlencoded'
  return [
    ...templateProblems(settings),
    ...(method === 'GET' && !isForm
      ? [{ field: 'content_type', problem: 'must be application/x-www-form-urlencoded where method is GET' }]
      : []),
    ...pointersOf(settings).flatMap(([field, pointer]) => {
      const broken = brokenPointerRule(pointer)
      return broken ? [{ field, problem: `must ${broken}` }] : []
    }),
  ]
}

function templateProblems(settings: HttpCarrierSettings): SettingProblem[] {
  try {
    compileTemplate(settings)
    return []
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return [{ field: 'body', problem: error.message }]
  }
}

/** All pointers, by the fields that hold them. */
function pointersOf(settings: HttpCarrierSettings): [field: string, pointer: string][] {
  const { message_id, success_value, error_code, error_message, inbound, receipts, kinds } = settings
  const { media, ...ofText } = inbound
  const { statuses: _, ...ofReceipt } = receipts
  const places: [string, string | null | undefined][] = [
    ['message_id', message_id?.startsWith('header:') ? null : message_id],
    ['success_value.pointer', success_value?.pointer],
    ['kinds.pointer', kinds?.pointer],
    ['error_code', error_code],
    ['error_message', error_message],
    ...Object.entries(ofText).map(
      ([name, pointer]) => [`inbound.${name}`, pointer] as [string, string | null],
    ),
    ...media.map((pointer, index) => [`inbound.media.${index}`, pointer] as [string, string]),
    ...Object.entries(ofReceipt).map(
      ([name, pointer]) => [`receipts.${name}`, pointer] as [string, string | null],
    ),
  ]
  return places.flatMap(([field, pointer]) => (typeof pointer === 'string' ? [[field, pointer]] : []))
}
