/** Asks for what a template needs, and makes the flow. */
import { dataOf } from '@jackfield/sdk'
import { Input, Select, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import i18next from 'i18next'
import { useTexts } from '../../../i18n/texts'
import type { TemplateName } from '../beginnings'
import { editorOf } from '../model/editors'
import type { ReferenceKind } from '../model/fields'
import {
  type AskedFor,
  type TemplateAnswers,
  flowTemplates,
  missingIn,
  spokenLanguages,
} from '../model/templates'
import { type Flow, flowsKey } from '../queries'
import { flowsTexts, templateTexts } from '../texts'
import { HoursField } from './hours-field'
import { ReferenceField } from './reference-field'

interface Values extends TemplateAnswers, Record<string, unknown> {
  title: string
}

const references: Partial<Record<AskedFor, ReferenceKind>> = {
  ...{ team: 'team', second_team: 'team', agent: 'agent', voice_agent: 'voice_agent' },
}

interface TemplateFormProps {
  template: TemplateName
  onMade: (flow: Flow) => void
  onCancel: () => void
}

export function TemplateForm({ template, onMade, onCancel }: TemplateFormProps) {
  const t = useTexts(templateTexts)
  const flows = useTexts(flowsTexts)
  const { asks, stepsOf } = flowTemplates[template]
  const initialValues: Values = {
    ...{ title: t(`template_${template}`), team: '', second_team: '', team_name: '', second_team_name: '' },
    ...{ agent: '', voice_agent: '', phone_number: '' },
    hours: editorOf('hours')?.initial?.() ?? {},
    language: spokenLanguages.find((spoken) => spoken === i18next.language) ?? 'en',
  }
  const sending = useApiForm({
    initialValues,
    validate: (values) => Object.fromEntries(missingIn(template, values).map((one) => [one, t('missing')])),
    phoneNumbers: ['phone_number'],
    send: async ({ title, ...answers }) =>
      dataOf(api.POST('/call-flows', { body: { title, trigger_type: 'inbound', nodes: stepsOf(answers) } })),
    changes: [flowsKey],
    done: flows('made'),
    onDone: onMade,
    fieldOf: (field) => (/\.phone_number$/.test(field) ? 'phone_number' : field),
  })
  const { form } = sending
  const put = (field: AskedFor, value: unknown, name = '') => {
    form.setFieldValue(field, value as never)
    if (field === 'team' || field === 'second_team') form.setFieldValue(`${field}_name`, name)
  }
  const errorAt = (field: AskedFor) => {
    const { [field]: error } = form.errors
    return typeof error === 'string' ? error : undefined
  }
  return (
    <FormFrame api={sending} action={t('make')} onCancel={onCancel}>
      <TextInput label={flows('what')} required maxLength={36} {...form.getInputProps('title')} />
      {asks.map((asked: AskedFor) => {
        const of = references[asked]
        if (of) {
          return (
            <ReferenceField
              key={asked}
              of={of}
              required
              label={t(`ask_${asked}`)}
              value={form.values[asked] as string}
              error={errorAt(asked)}
              data-path={asked}
              onChange={(value, name) => put(asked, value ?? '', name)}
            />
          )
        }
        if (asked === 'hours') {
          return (
            <Input.Wrapper key={asked} label={t('ask_hours')} labelElement="div">
              <HoursField
                step={{ id: 'hours', type: 'business_hours', params: form.values.hours, next: {} }}
                errorAt={() => undefined}
                onParams={(params) => put('hours', params)}
              />
            </Input.Wrapper>
          )
        }
        if (asked === 'language') {
          return (
            <Select
              key={asked}
              label={t('ask_language')}
              description={t('ask_languageHint')}
              allowDeselect={false}
              data={spokenLanguages.map((value) => ({ value, label: t(`language_${value}`) }))}
              {...form.getInputProps('language')}
            />
          )
        }
        return (
          <TextInput
            key={asked}
            type="tel"
            required
            label={t('ask_phone_number')}
            description={t('ask_phone_numberHint')}
            {...form.getInputProps('phone_number')}
          />
        )
      })}
    </FormFrame>
  )
}
