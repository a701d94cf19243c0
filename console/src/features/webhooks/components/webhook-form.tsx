import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { type ComboboxItem, MultiSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { api } from '../../../api/client'
import { showSecret } from '../../../design/dialogs'
import { FormRows } from '../../../design/form-rows'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { isTwice } from '../../../design/twice'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type AskedEvents, askedEvents, eventGroups, eventTexts, everyEvent } from '../events'
import { type Webhook, webhooksKey } from '../queries'
import { webhooksTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  url: string
  headers: { name: string; value: string }[]
  everything: boolean
  events: AskedEvents
  is_active: boolean
}

function bodyOf({ everything, events, headers, ...rest }: Values) {
  const named = Object.fromEntries(headers.map(({ name, value }) => [name, value]))
  return { ...rest, headers: named, events: everything ? ([everyEvent] satisfies AskedEvents) : events }
}

/** `headers.X-Api-Key` of the API is the row that is called so. */
function fieldIn(field: string, { headers }: Values): string {
  const name = /^headers\.(.+)$/.exec(field)?.[1]
  const index = headers.findIndex((header) => header.name === name)
  return index < 0 ? field : `headers.${index}.value`
}

/** @param webhook the one that is changed; a new one without, whose secret is shown this once */
export function WebhookForm({ webhook, onDone }: { webhook?: Webhook; onDone: () => void }) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(common)
  const everything = webhook?.events.includes(everyEvent) ?? false
  type Saved = Webhook | components['schemas']['NewWebhook']
  const sending: ApiForm<Values> = useApiForm<Values, Saved>({
    initialValues: {
      title: webhook?.title ?? '',
      url: webhook?.url ?? '',
      headers: Object.entries(webhook?.headers ?? {}).map(([name, value]) => ({ name, value })),
      everything,
      events: everything ? [] : ((webhook?.events ?? []) as AskedEvents),
      is_active: webhook?.is_active ?? true,
    },
    validate: {
      headers: {
        // Headers are the same in capitals.
        name: (_, { headers }, path) =>
          isTwice(
            headers.map(({ name }) => name.toLowerCase()),
            path,
          )
            ? t('headerTwice')
            : null,
      },
    },
    fieldOf: (field) => fieldIn(field, sending.form.getValues()),
    send: async (values, changed) =>
      webhook
        ? dataOf(api.PATCH('/webhooks/{id}', { params: { path: { id: webhook.id } }, body: changed(bodyOf) }))
        : dataOf(api.POST('/webhooks', { body: bodyOf(values) })),
    changes: [webhooksKey],
    ...(!webhook && { done: '' }),
    onDone: (saved) => {
      onDone()
      if ('secret' in saved) showSecret({ title: t('made'), what: t('secret'), value: saved.secret })
    },
  })
  const { form } = sending
  return (
    <FormFrame api={sending} {...(!webhook && { action: t('add') })} onCancel={onDone}>
      <TextInput
        label={t('url')}
        description={t('urlHint')}
        type="url"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput label={t('title')} description={t('titleHint')} {...form.getInputProps('title')} />
      <Switch
        label={t('allEvents')}
        description={t('allEventsHint')}
        {...form.getInputProps('everything', { type: 'checkbox' })}
      />
      {!form.values.everything && <EventsField {...form.getInputProps('events')} clearLabel={c('clear')} />}
      <HeaderRows form={form} />
      <Switch
        label={t('switchOn')}
        description={t('switchOnHint')}
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </FormFrame>
  )
}

/** Headers that go with each delivery. */
function HeaderRows({ form }: Pick<ApiForm<Values>, 'form'>) {
  const t = useTexts(webhooksTexts)
  return (
    <FormRows
      legend={t('headers')}
      hint={t('ownHeadersHint')}
      count={form.values.headers.length}
      most={20}
      nameOf={(number) => t('headerN', { number })}
      addLabel={t('addHeader')}
      onAdd={() => form.insertListItem('headers', { name: '', value: '' })}
      onRemove={(index) => form.removeListItem('headers', index)}
    >
      {(index) => (
        <>
          <TextInput
            label={t('header')}
            required
            spellCheck={false}
            placeholder="Authorization"
            style={{ flex: '1 1 150px' }}
            {...form.getInputProps(`headers.${index}.name`)}
          />
          <TextInput
            label={t('headerValue')}
            required
            autoComplete="off"
            spellCheck={false}
            style={{ flex: '2 1 200px' }}
            {...form.getInputProps(`headers.${index}.value`)}
          />
        </>
      )}
    </FormRows>
  )
}

function EventsField({ clearLabel, ...input }: { clearLabel: string; value?: string[] }) {
  const t = useTexts(webhooksTexts)
  const data = useMemo(
    () =>
      eventGroups.map(([title, prefixes]) => ({
        group: t(title),
        items: askedEvents.filter((event) => prefixes.some((prefix) => event.startsWith(`${prefix}.`))),
      })),
    [t],
  )
  return (
    <MultiSelect
      label={t('events')}
      description={t('eventsHint')}
      required
      searchable
      clearable
      clearButtonProps={{ 'aria-label': clearLabel }}
      data={data}
      renderOption={({ option }) => <EventOption option={option} />}
      {...input}
    />
  )
}

function EventOption({ option: { value } }: { option: ComboboxItem }) {
  const t = useTexts(webhooksTexts)
  const event = askedEvents.find((one) => one === value)
  return (
    <Stack gap={0}>
      <Text size="sm">{value}</Text>
      {event && (
        <Text size="xs" c="dimmed">
          {t(eventTexts[event])}
        </Text>
      )}
    </Stack>
  )
}
