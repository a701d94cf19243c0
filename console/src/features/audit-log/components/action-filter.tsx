import { Select } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { type Noun, nounOf, nounText, verbsOf } from '../actions'
import { auditLogTexts } from '../texts'

interface ActionFilterProps {
  /** `agent`, or `agent.update`. */
  value: string | undefined
  /** The options. */
  nouns: readonly Noun[]
  onChange: (action: string | undefined) => void
}

/** Two selects: the noun and, once it is chosen, the verb. */
export function ActionFilter({ value, nouns, onChange }: ActionFilterProps) {
  const t = useTexts(auditLogTexts)
  const clear = { clearable: true, clearButtonProps: { 'aria-label': t('all') }, placeholder: t('all') }
  const [word, verb] = value?.split('.') ?? []
  const noun = nounOf(word)
  const things = nouns
    .map((one) => ({ value: one, label: nounText(one) }))
    .sort((a, b) => a.label.localeCompare(b.label))
  return (
    <>
      <Select
        label={t('what')}
        {...clear}
        searchable
        data={things}
        value={noun ?? null}
        onChange={(next) => onChange(next ?? undefined)}
        w={180}
      />
      {noun && (
        <Select
          label={t('done')}
          {...clear}
          data={verbsOf(noun).map((one) => ({ value: one, label: t(`verb_${one}`) }))}
          value={verb ?? null}
          onChange={(next) => onChange(next ? `${noun}.${next}` : noun)}
          w={150}
        />
      )}
    </>
  )
}
