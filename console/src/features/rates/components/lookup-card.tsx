import { dataOf } from '@jackfield/sdk'
import { Anchor, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { workspaceChoices } from '../../../api/platform'
import { Facts } from '../../../design/facts'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { SectionCard } from '../../../design/section-card'
import { exactMoneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Rate, type RateKind, rateKinds } from '../queries'
import { ratesTexts } from '../texts'
import { PriceOf } from './price-of'

interface Values extends Record<string, unknown> {
  workspace: string | null
  number: string
  kind: RateKind
}

/** Looks up the rate of a number for a workspace. */
export function LookupCard() {
  const t = useTexts(ratesTexts)
  const [answer, setAnswer] = useState<{ rate: Rate | null; asked: Values }>()
  const sending = useApiForm<Values, { rate: Rate | null }>({
    initialValues: { workspace: null, number: '', kind: 'outbound_call' },
    phoneNumbers: ['number'],
    send: async ({ workspace, number, kind }) =>
      dataOf(
        api.GET('/workspaces/{id}/rates/{number}', {
          params: { path: { id: workspace ?? '', number }, query: { kind } },
        }),
      ),
    done: '',
    onDone: ({ rate }, asked) => setAnswer({ rate, asked }),
    fieldOf: (field) => (field === 'id' ? 'workspace' : field),
  })
  const { form } = sending
  // Hide the result when the fields have changed since.
  const isOfThese = answer && questionOf(answer.asked) === questionOf(form.values)
  const found = isOfThese ? answer.rate : undefined
  const isComplete = form.values.workspace !== null && form.values.number.trim() !== ''
  return (
    <SectionCard title={t('lookup')} hint={t('lookupHint')}>
      <FormFrame api={sending} action={t('lookupAction')} disabled={!isComplete}>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Picker
            label={t('workspace')}
            required
            source={workspaceChoices}
            {...form.getInputProps('workspace')}
          />
          <TextInput
            label={t('number')}
            description={t('numberHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            type="tel"
            maxLength={32}
            {...form.getInputProps('number')}
          />
          <Select
            label={t('kind')}
            data={rateKinds.map((value) => ({ value, label: t(value) }))}
            allowDeselect={false}
            {...form.getInputProps('kind')}
          />
        </SimpleGrid>
      </FormFrame>
      <div role="status">
        {found === null && <Text>{t('noRate')}</Text>}
        {found && (
          <Stack mt="sm">
            <Facts
              facts={[
                [t('prefix'), found.prefix || t('allNumbers')],
                [t('destination'), found.destination || '–'],
                [t('price'), <PriceOf key="price" rate={found} withUnit />],
                [t('connectionFee'), exactMoneyOf(found.connection_fee)],
                [t('increments'), `${found.minimum_seconds}/${found.increment_seconds}`],
                [
                  t('heldBy'),
                  <Anchor key="deck" inherit component={Link} to={`/rate-decks/${found.rate_deck_id}`}>
                    {found.rate_deck_id}
                  </Anchor>,
                ],
              ]}
            />
          </Stack>
        )}
      </div>
    </SectionCard>
  )
}

function questionOf({ workspace, number, kind }: Values): string {
  return JSON.stringify([workspace, number.trim(), kind])
}
