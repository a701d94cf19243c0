import { Card, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { askedEveryMs } from '../../../api/platform'
import { Facts } from '../../../design/facts'
import { Answered } from '../../../design/page'
import { Copyable, Time, countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { carrierStatusQuery } from '../queries'
import { carriersTexts } from '../texts'
import { LinkBadge } from './link-badge'

/** State of a carrier's link, and its backlog. */
export function CarrierStatusCard({ id }: { id: string }) {
  const t = useTexts(carriersTexts)
  const query = useQuery({ ...carrierStatusQuery(id), refetchInterval: askedEveryMs })
  return (
    <Card withBorder component="section" aria-label={t('state')}>
      <Title order={2} size="h4" mb="sm">
        {t('state')}
      </Title>
      <Answered query={query}>
        {({ state, since, last_error, server_id, ...waiting }) => (
          <Facts
            facts={[
              [t('state'), <LinkBadge key="state" status={{ state, last_error }} />],
              ...(since ? [[t('since'), <Time key="since" at={since} />] as const] : []),
              ...(last_error ? [[t('error'), last_error] as const] : []),
              ...(state === 'inactive' ? [] : [[t('held'), server_id ?? t('unclaimed')] as const]),
              [t('queued'), countOf(waiting.queued)],
              [t('submitting'), countOf(waiting.submitting)],
              [t('awaiting'), countOf(waiting.awaiting_receipt)],
              ...(waiting.oldest_due_at
                ? [[t('oldest'), <Time key="oldest" at={waiting.oldest_due_at} />] as const]
                : []),
              ['ID', <Copyable key="id" value={id} what="ID" />],
            ]}
          />
        )}
      </Answered>
    </Card>
  )
}
