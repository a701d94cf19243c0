/** Many plain form fields, declared as a list. */
import { NumberInput, Select, SimpleGrid, Switch, TagsInput, TextInput, Textarea } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { CountryField } from './country-field'
import { KeptSecretField } from './kept-secret-field'

export type SettingField = {
  /** Of the form's values: `smpp.host`. */
  path: string
  label: string
  hint?: string
  required?: boolean
} & (
  | { kind?: 'line' | 'url' | 'text' | 'number' | 'flag' | 'tags' | 'country' }
  | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
  | { kind: 'secret'; isKept: boolean }
)

/** The form; its other values do not matter. */
interface Fields {
  getInputProps: (path: string, options?: { type: 'checkbox' }) => GetInputPropsReturnType
}

/** Two columns where there is room; long texts span both. */
export function SettingFields({ form, fields }: { form: Fields; fields: readonly SettingField[] }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
      {fields.map((field) => (
        <div key={field.path} style={field.kind === 'text' ? { gridColumn: '1 / -1' } : {}}>
          <One form={form} field={field} />
        </div>
      ))}
    </SimpleGrid>
  )
}

function One({ form, field }: { form: Fields; field: SettingField }): ReactNode {
  const { path, label, hint, required = false } = field
  const shared = { label, required, ...(hint && { description: hint }) }
  const input = form.getInputProps(path)
  switch (field.kind) {
    case 'flag':
      return <Switch {...shared} {...form.getInputProps(path, { type: 'checkbox' })} />
    case 'number':
      return <NumberInput {...shared} allowNegative={false} {...input} />
    case 'choice':
      return <Select {...shared} allowDeselect={false} data={field.choices} {...input} />
    case 'tags':
      return <TagsInput {...shared} clearable={false} {...input} />
    case 'country':
      return <CountryField {...shared} clearable {...input} />
    case 'text':
      return <Textarea {...shared} autosize minRows={2} maxRows={12} spellCheck={false} {...input} />
    case 'secret':
      return <KeptSecretField {...shared} isKept={field.isKept} {...(input as SecretInput)} />
    default:
      return (
        <TextInput
          {...shared}
          type={field.kind === 'url' ? 'url' : 'text'}
          autoComplete="off"
          spellCheck={false}
          {...input}
        />
      )
  }
}

type SecretInput = Pick<Parameters<typeof KeptSecretField>[0], 'value' | 'onChange' | 'error'>
