/** Form of an evaluation script: the caller's turns, and the rules for the answers. */
import { dataOf } from '@jackfield/sdk'
import { Fieldset, Group, Select, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../../api/client'
import { isChanged } from '../../../design/form-values'
import { FormFrame, useApiForm } from '../../../design/forms'
import { AddRow, RemoveRow } from '../../../design/rows'
import { textOf, useTexts } from '../../../i18n/texts'
import { type Script, type ScriptInput, scriptsQuery, toolsQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { type ScriptValues, isJson, rowOf, ruleOf } from './rule-rows'
import { isTwice } from '../../../design/twice'
import { RulesField } from './rules-field'

const newTurn: ScriptValues['turns'][number] = { say: '', rules: [] }

function valuesOf(script: Script | null): ScriptValues {
  return {
    name: script?.name ?? '',
    turns: script?.turns.map(({ say, expect = [] }) => ({ say, rules: expect.map(rowOf) })) ?? [newTurn],
    rules: script?.expect.map(rowOf) ?? [],
    answers: Object.entries(script?.tool_answers ?? {}).map(([tool, answer]) => ({
      tool,
      json: JSON.stringify(answer),
    })),
  }
}

function inputOf({ name, turns, rules, answers }: ScriptValues): ScriptInput {
  return {
    name,
    turns: turns.map((turn) => ({ say: turn.say, expect: turn.rules.map(ruleOf) })),
    expect: rules.map(ruleOf),
    tool_answers: Object.fromEntries(
      answers.map(({ tool, json }) => [tool, json.trim() === '' ? null : (JSON.parse(json) as unknown)]),
    ),
  }
}

const noJson = (text: string) => (isJson(text) ? null : textOf(voiceAgentsTexts, 'noJson'))

interface ScriptFormProps {
  id: string
  /** Null: a new one. */
  script: Script | null
  onDone: () => void
  /** Receives a function that returns whether there are unsaved changes. */
  onChanged: (hasChanged: () => boolean) => void
}

export function ScriptForm({ id, script, onDone, onChanged }: ScriptFormProps) {
  const t = useTexts(voiceAgentsTexts)
  const tools = useQuery(toolsQuery(id)).data?.data ?? []
  const sending = useApiForm<ScriptValues>({
    initialValues: valuesOf(script),
    validate: {
      turns: { rules: { args: noJson } },
      rules: { args: noJson },
      answers: {
        json: noJson,
        tool: (_, { answers }, path) =>
          isTwice(
            answers.map(({ tool }) => tool),
            path,
          )
            ? t('answerTwice')
            : null,
      },
    },
    send: async (values, changed) =>
      script
        ? dataOf(
            api.PATCH('/voice-agents/{id}/evaluations/scripts/{scriptId}', {
              params: { path: { id, scriptId: script.id } },
              body: changed(inputOf),
            }),
          )
        : dataOf(
            api.POST('/voice-agents/{id}/evaluations/scripts', {
              params: { path: { id } },
              body: inputOf(values),
            }),
          ),
    changes: [scriptsQuery(id).queryKey],
    onDone,
    fieldOf: (field) => field.replace(/(^|\.)expect\.(\d+)(\..*)?$/, '$1rules.$2.value'),
  })
  const { form } = sending
  useEffect(() => {
    onChanged(() => isChanged(form))
  })
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput label={t('name')} required maxLength={60} data-autofocus {...form.getInputProps('name')} />
      {form.values.turns.map(({ rules }, index) => (
        <Fieldset key={index} legend={t('turn', { number: index + 1 })}>
          <Stack gap="sm">
            <Group align="flex-end" gap="xs" wrap="nowrap">
              <Textarea
                label={t('callerSays')}
                autosize
                maxLength={1000}
                style={{ flex: 1 }}
                {...form.getInputProps(`turns.${index}.say`)}
              />
              {form.values.turns.length > 1 && (
                <RemoveRow
                  label={t('removeTurn', { number: index + 1 })}
                  onClick={() => form.removeListItem('turns', index)}
                />
              )}
            </Group>
            <RulesField
              {...{ form, rules, tools }}
              path={`turns.${index}.rules`}
              legend={t('expectOfAnswer', { number: index + 1 })}
            />
          </Stack>
        </Fieldset>
      ))}
      <AddRow label={t('addTurn')} onClick={() => form.insertListItem('turns', newTurn)} />
      <RulesField {...{ form, tools }} rules={form.values.rules} path="rules" legend={t('expectOfCall')} />
      <Fieldset legend={t('toolAnswers')}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('toolAnswersHint')}
          </Text>
          {form.values.answers.map((_, index) => (
            <Group key={index} align="flex-end" gap="xs">
              <Select
                label={t('toolOfAnswer', { number: index + 1 })}
                data={tools.map(({ name }) => name)}
                searchable
                style={{ flex: '1 1 140px' }}
                {...form.getInputProps(`answers.${index}.tool`)}
              />
              <TextInput
                label={t('answerOfTool', { number: index + 1 })}
                placeholder='{"status": "ok"}'
                style={{ flex: '2 1 180px' }}
                {...form.getInputProps(`answers.${index}.json`)}
              />
              <RemoveRow
                label={t('removeAnswer', { number: index + 1 })}
                onClick={() => form.removeListItem('answers', index)}
              />
            </Group>
          ))}
          <AddRow
            label={t('addAnswer')}
            onClick={() => form.insertListItem('answers', { tool: '', json: '' })}
          />
        </Stack>
      </Fieldset>
    </FormFrame>
  )
}
