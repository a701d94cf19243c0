import { useTexts } from '../../i18n/texts'
import { voiceAgentsTexts } from './texts'
import type { Tool } from './queries'

/** What a tool does, in words: the built-in ones are known to the model by names of the API. */
export function useToolTitle() {
  const t = useTexts(voiceAgentsTexts)
  return ({ name, tool_type }: Pick<Tool, 'name' | 'tool_type'>): string => {
    const key = `tool_${name}`
    const isKnown = tool_type === 'builtin' && key in voiceAgentsTexts.en
    return isKnown ? t(key as Parameters<typeof t>[0]) : name
  }
}
