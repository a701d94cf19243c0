import { Fieldset, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import type { Tool } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { type RuleKind, type RuleRow, type ScriptValues, newRule, ruleKinds } from './rule-rows'

/** Rules for an answer, or for the whole call. */
export function RulesField({
  form,
  path,
  legend,
  rules,
  tools,
}: {
  form: UseFormReturnType<ScriptValues>
  /** `rules`, or `turns.0.rules`. */
  path: string
  legend: string
  rules: readonly RuleRow[]
  tools: readonly Tool[]
}) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Fieldset legend={legend}>
      <Stack gap="sm">
        {rules.map(({ kind }, index) => (
          <Group key={index} align="flex-end" gap="xs">
            <Select
              label={t('rule', { number: index + 1 })}
              data={ruleKinds.map((value) => ({ value, label: t(`rule_${value}`) }))}
              allowDeselect={false}
              style={{ flex: '1 1 170px' }}
              {...form.getInputProps(`${path}.${index}.kind`)}
              onChange={(chosen) => {
                const first = chosen === 'ends_call' ? 'true' : ''
                form.setFieldValue(`${path}.${index}`, { ...newRule, kind: chosen as RuleKind, value: first })
              }}
            />
            <RuleValue {...{ form, kind, tools }} path={`${path}.${index}`} />
            <RemoveRow
              label={t('removeRule', { number: index + 1 })}
              onClick={() => form.removeListItem(path, index)}
            />
          </Group>
        ))}
        <AddRow label={t('addRule')} onClick={() => form.insertListItem(path, newRule)} />
      </Stack>
    </Fieldset>
  )
}

function RuleValue({
  form,
  path,
  kind,
  tools,
}: {
  form: UseFormReturnType<ScriptValues>
  path: string
  kind: RuleKind
  tools: readonly Tool[]
}) {
  const t = useTexts(voiceAgentsTexts)
  const wide = { flex: '2 1 200px' }
  const field = form.getInputProps(`${path}.value`)
  const names = tools.map(({ name }) => ({ value: name, label: name }))
  switch (kind) {
    case 'calls_tool':
      return (
        <>
          <Select label={t('tool')} data={names} searchable style={{ flex: '1 1 140px' }} {...field} />
          <TextInput
            label={t('arguments')}
            placeholder='{"number": "4711"}'
            style={{ flex: '1 1 160px' }}
            {...form.getInputProps(`${path}.args`)}
          />
        </>
      )
    case 'does_not_call_tool':
      return (
        <Select
          label={t('tool')}
          data={[{ value: '*', label: t('anyTool') }, ...names]}
          searchable
          style={wide}
          {...field}
        />
      )
    case 'ends_call':
      return (
        <Select
          label={t('callEnds')}
          data={[
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]}
          allowDeselect={false}
          style={wide}
          {...field}
        />
      )
    case 'max_words':
    case 'replies_within':
      return (
        <NumberInput
          label={t(kind === 'max_words' ? 'words' : 'seconds')}
          min={kind === 'max_words' ? 1 : 0.1}
          allowDecimal={kind !== 'max_words'}
          style={wide}
          {...field}
          onChange={(value) => form.setFieldValue(`${path}.value`, String(value))}
        />
      )
    default:
      return <TextInput label={t('what')} style={wide} {...field} />
  }
}
