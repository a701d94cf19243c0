import { dataOf } from '@jackfield/sdk'
import { Alert, Anchor, Button, Card, SimpleGrid, Stack, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { countryOf } from '../../../design/country-field'
import { confirmDelete } from '../../../design/dialogs'
import { Facts } from '../../../design/facts'
import { Answered, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { Copyable, Time, exactMoneyOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { NumberForm } from '../components/number-form'
import { NumberStatus } from '../components/number-status'
import { NumberVerification } from '../components/number-verification'
import { type NumberDetail, numberQuery, numbersKey } from '../queries'
import { numbersTexts } from '../texts'

export function NumberPage() {
  const { id } = useParams({ from: '/shell/admin/numbers/$id' })
  const t = useTexts(numbersTexts)
  const query = useQuery(numberQuery(id))
  const number = query.data
  return (
    <Page
      title={number ? `+${number.number}` : t('number')}
      up={<UpLink to="/numbers">{t('heading')}</UpLink>}
      description={number?.title}
      actions={number && <DeleteNumber number={number} />}
    >
      <Answered query={query}>
        {(shown) => (
          <Stack>
            {shown.status === 'pending' && <Alert color="yellow">{t('pendingHint')}</Alert>}
            {!shown.is_verified && <NumberVerification number={shown} />}
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Card withBorder>
                <NumberForm key={shown.id} number={shown} />
              </Card>
              <Card withBorder>
                <Title order={2} size="h4" mb="md">
                  {t('details')}
                </Title>
                <NumberFacts number={shown} />
              </Card>
            </SimpleGrid>
          </Stack>
        )}
      </Answered>
    </Page>
  )
}

function DeleteNumber({ number: { id, number } }: { number: NumberDetail }) {
  const t = useTexts(numbersTexts)
  const c = useTexts(common)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = () =>
    confirmDelete({
      name: `+${number}`,
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/phone-numbers/{id}', { params: { path: { id } } })),
      onDone: () => {
        void navigate({ to: '/numbers' })
        client.removeQueries({ queryKey: numberQuery(id).queryKey })
        void client.invalidateQueries({ queryKey: [...numbersKey, 'list'] })
      },
    })
  return (
    <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={remove}>
      {c('delete')}
    </Button>
  )
}

function NumberFacts({ number }: { number: NumberDetail }) {
  const t = useTexts(numbersTexts)
  const c = useTexts(common)
  const { status, type, capabilities, provider, country_code, call_flow_id } = number
  return (
    <Facts
      facts={[
        [
          t('flow'),
          call_flow_id ? (
            <Anchor key="flow" size="sm" component={Link} to={`/flows/${call_flow_id}`}>
              {t('openFlow')}
            </Anchor>
          ) : (
            '–'
          ),
        ],
        [t('status'), <NumberStatus key="status" status={status} />],
        [t('verification'), number.is_verified ? t('verified') : t('unverified')],
        [t('type'), t(type)],
        [t('country'), countryOf(country_code)],
        [t('capabilities'), capabilities.map((can) => t(can)).join(', ') || '–'],
        [t('provider'), provider === 'sip_trunk' ? t('trunk') : provider],
        [t('feeMonth'), exactMoneyOf(number.fee_per_month)],
        [t('feeMinute'), exactMoneyOf(number.fee_per_mins_call)],
        [t('feeMessage'), exactMoneyOf(number.fee_per_segment)],
        [t('feeMms'), exactMoneyOf(number.fee_per_mms)],
        [c('created'), <Time key="created" at={number.created_at} />],
        ['ID', <Copyable key="id" value={number.id} what="ID" />],
      ]}
    />
  )
}
