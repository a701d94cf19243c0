import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { type ComboboxItem, MultiSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { api } from '../../../api/client'
import { showSecret } from '../../../design/dialogs'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { HeaderRows } from '../../../design/header-rows'
import {
  type HeaderRow,
  headerFieldIn,
  headerRowsOf,
  headersOf,
  isHeaderTwice,
} from '../../../design/headers'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type AskedEvents, askedEvents, eventGroups, eventTexts, everyEvent } from '../events'
import { type Webhook, webhooksKey } from '../queries'
import { webhooksTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  url: string
  headers: HeaderRow[]
  everything: boolean
  events: AskedEvents
  is_active: boolean
}

function bodyOf({ everything, events, headers, ...rest }: Values) {
  const asked = everything ? ([everyEvent] satisfies AskedEvents) : events
  return { ...rest, headers: headersOf(headers), events: asked }
}

/** @param webhook the one to edit; without it a new one is created, whose secret is shown once */
export function WebhookForm({ webhook, onDone }: { webhook?: Webhook; onDone: () => void }) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(common)
  const everything = webhook?.events.includes(everyEvent) ?? false
  type Saved = Webhook | components['schemas']['NewWebhook']
  const sending: ApiForm<Values> = useApiForm<Values, Saved>({
    initialValues: {
      title: webhook?.title ?? '',
      url: webhook?.url ?? '',
      headers: headerRowsOf(webhook?.headers),
      everything,
      events: everything ? [] : ((webhook?.events ?? []) as AskedEvents),
      is_active: webhook?.is_active ?? true,
    },
    validate: {
      headers: {
        name: (_, { headers }, path) => (isHeaderTwice(headers, path) ? t('headerTwice') : null),
      },
    },
    fieldOf: (field) => headerFieldIn(field, sending.form.getValues().headers),
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
      <HeaderRows form={form} rows={form.values.headers} hint={t('ownHeadersHint')} />
      <Switch
        label={t('switchOn')}
        description={t('switchOnHint')}
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </FormFrame>
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
