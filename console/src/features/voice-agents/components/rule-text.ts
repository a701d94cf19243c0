import type { Translate } from '../../../i18n/texts'
import type { Rule } from '../queries'
import type { voiceAgentsTexts } from '../texts'
import { rowOf } from './rule-rows'

/** A rule in words. */
export function sentenceOf(t: Translate<(typeof voiceAgentsTexts)['en']>, rule: Rule): string {
  const { kind, value, args } = rowOf(rule)
  if (kind === 'ends_call') return t(value === 'false' ? 'sentence_ends_call_not' : 'sentence_ends_call')
  if (kind === 'calls_tool' && args !== '') return t('sentence_calls_tool_with', { value, args })
  if (kind === 'does_not_call_tool' && value === '*') return t('sentence_calls_no_tool')
  return t(`sentence_${kind}`, { value })
}
