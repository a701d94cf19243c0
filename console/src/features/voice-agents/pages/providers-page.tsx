import { dataOf } from '@jackfield/sdk'
import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { confirmDelete } from '../../../design/dialogs'
import { FormFrame, FormModal, useApiForm } from '../../../design/forms'
import { Answered, EmptyState, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { StateBadge, Time, exactMoneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Provider, providersQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { PasswordField } from '../../../design/password-field'

export function ProvidersPage() {
  const t = useTexts(voiceAgentsTexts)
  const query = useQuery(providersQuery)
  const [chosen, setChosen] = useState<Provider | null>(null)
  return (
    <Page
      title={t('providers')}
      up={<UpLink to="/voice-agents">{t('heading')}</UpLink>}
      description={t('providersHint')}
    >
      <Answered query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={IconPlugConnected} title={t('noProviders')}>
              {t('noProvidersHint')}
            </EmptyState>
          ) : (
            <Stack
              gap="sm"
              component="ul"
              p={0}
              m={0}
              style={{ listStyle: 'none' }}
              aria-label={t('providers')}
            >
              {data.map((provider) => (
                <ProviderCard key={provider.id} provider={provider} onSetKey={() => setChosen(provider)} />
              ))}
            </Stack>
          )
        }
      </Answered>
      <FormModal
        title={t('ownKeyOf', { name: chosen?.name ?? '' })}
        opened={chosen !== null}
        onClose={() => setChosen(null)}
      >
        {chosen && <KeyForm provider={chosen} onDone={() => setChosen(null)} />}
      </FormModal>
    </Page>
  )
}

function ProviderCard({ provider, onSetKey }: { provider: Provider; onSetKey: () => void }) {
  const t = useTexts(voiceAgentsTexts)
  const client = useQueryClient()
  const { id, name, kind, price_per_minute: price, has_own_key: hasKey, own_key_updated_at: since } = provider
  const remove = () =>
    confirmDelete({
      name: t('ownKeyOf', { name }),
      consequence: t('ownKeyDeleted'),
      run: async () => dataOf(api.DELETE('/voice-agents/providers/{id}/key', { params: { path: { id } } })),
      onDone: () => void client.invalidateQueries({ queryKey: providersQuery.queryKey }),
    })
  return (
    <Card withBorder component="li" padding="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} style={{ minWidth: 0, flex: '1 1 220px' }}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Text size="sm" c="dimmed">
              {t(kind)}
            </Text>
          </Group>
          <Text>{hasKey ? t('paysProvider') : t('pricePerMinute', { price: exactMoneyOf(price) })}</Text>
          <Group gap="xs">
            <StateBadge tone={hasKey ? 'good' : 'idle'}>{t(hasKey ? 'ownKey' : 'platformKey')}</StateBadge>
            {hasKey && (
              <Text span size="sm" c="dimmed">
                <Time at={since} />
              </Text>
            )}
          </Group>
        </Stack>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={onSetKey}
            aria-label={t(hasKey ? 'replaceKeyOf' : 'setKeyOf', { name })}
          >
            {t(hasKey ? 'replaceKey' : 'setKey')}
          </Button>
          {hasKey && (
            <Button
              size="xs"
              variant="default"
              c="var(--mantine-color-error)"
              onClick={remove}
              aria-label={t('deleteKeyOf', { name })}
            >
              {t('deleteKey')}
            </Button>
          )}
        </Group>
      </Group>
    </Card>
  )
}

function KeyForm({ provider: { id }, onDone }: { provider: Provider; onDone: () => void }) {
  const t = useTexts(voiceAgentsTexts)
  const sending = useApiForm({
    initialValues: { api_key: '' },
    send: async (body) =>
      dataOf(api.PUT('/voice-agents/providers/{id}/key', { params: { path: { id } }, body })),
    changes: [providersQuery.queryKey],
    onDone,
  })
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <PasswordField
        label={t('theKey')}
        description={t('theKeyHint')}
        autoComplete="off"
        required
        data-autofocus
        {...sending.form.getInputProps('api_key')}
      />
    </FormFrame>
  )
}
