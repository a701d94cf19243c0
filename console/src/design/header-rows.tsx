/** HTTP headers as rows of a form. */
import { TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTexts } from '../i18n/texts'
import { FormRows } from './form-rows'
import type { HeaderRow } from './headers'
import { designTexts } from './texts'

const texts = designTexts.headerRows

/** The API's limit. */
const most = 20

interface HeaderRowsProps {
  /** The form; its other values do not matter. */
  form: {
    getInputProps: (path: string) => GetInputPropsReturnType
    insertListItem: (path: string, row: HeaderRow) => void
    removeListItem: (path: string, index: number) => void
  }
  /** Path of the rows in the form. */
  path?: string
  rows: readonly HeaderRow[]
  legend?: string
  hint: string
}

export function HeaderRows({ form, path = 'headers', rows, legend, hint }: HeaderRowsProps) {
  const t = useTexts(texts)
  return (
    <FormRows
      legend={legend ?? t('headers')}
      hint={hint}
      count={rows.length}
      most={most}
      nameOf={(number) => t('headerN', { number })}
      addLabel={t('add')}
      onAdd={() => form.insertListItem(path, { name: '', value: '' })}
      onRemove={(index) => form.removeListItem(path, index)}
    >
      {(index) => (
        <>
          <TextInput
            label={t('header')}
            required
            spellCheck={false}
            placeholder="Authorization"
            style={{ flex: '1 1 150px' }}
            {...form.getInputProps(`${path}.${index}.name`)}
          />
          <TextInput
            label={t('value')}
            required
            autoComplete="off"
            spellCheck={false}
            style={{ flex: '2 1 200px' }}
            {...form.getInputProps(`${path}.${index}.value`)}
          />
        </>
      )}
    </FormRows>
  )
}
