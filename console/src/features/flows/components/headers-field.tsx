/** HTTP headers of a request to a customer's server. */
import { Group, Input, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { isRecord, withParam } from '../model/steps'
import { stepTexts } from '../texts'
import { Rows } from './rows'
import type { StepFieldProps } from './plain-field'

interface Header {
  name: string
  value: string
}

export function HeadersField({ field, step, errorAt, onParams }: StepFieldProps & { field: string }) {
  const t = useTexts(stepTexts)
  const kept = step.params[field]
  const written = headersIn(kept)
  // Nameless headers exist only while they are typed.
  const [typed, setTyped] = useState(written)
  const rows = JSON.stringify(asSent(typed)) === JSON.stringify(kept ?? {}) ? typed : written
  return (
    <Input.Wrapper label={t('headers')} labelElement="div" error={errorAt(field)}>
      <Rows
        rows={rows}
        nameOf={(number) => rows[number - 1]?.name || `${t('header')} ${number}`}
        addLabel={t('addHeader')}
        empty={{ name: '', value: '' }}
        max={10}
        onChange={(next, index) => {
          setTyped(next)
          const headers = asSent(next)
          const isEmpty = Object.keys(headers).length === 0
          const place = index < 0 ? '' : `${field}.${index}`
          onParams(withParam(step.params, field, isEmpty ? undefined : headers), place)
        }}
      >
        {({ name, value }, _index, change) => (
          <Group gap="xs" grow align="flex-start">
            <TextInput
              label={t('header')}
              data-path={field}
              value={name}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            />
            <TextInput
              label={t('field_value')}
              data-path={`${field}.${name}`}
              value={value}
              error={name === '' ? undefined : errorAt(`${field}.${name}`)}
              onChange={({ currentTarget }) => change({ value: currentTarget.value })}
            />
          </Group>
        )}
      </Rows>
    </Input.Wrapper>
  )
}

function headersIn(value: unknown): Header[] {
  return isRecord(value) ? Object.entries(value).map(([name, text]) => ({ name, value: String(text) })) : []
}

function asSent(rows: readonly Header[]): Record<string, string> {
  return Object.fromEntries(rows.flatMap(({ name, value }) => (name === '' ? [] : [[name, value]])))
}
