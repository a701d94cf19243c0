import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Answered, Page } from '../../../design/page'
import { Duration, StateBadge, Time, countOf } from '../../../design/values'
import { locale } from '../../../i18n/language'
import { useTexts } from '../../../i18n/texts'
import { HealthBanner } from '../components/health-banner'
import { PartBadge, PartCard } from '../components/part-card'
import { askedEveryMs } from '../../../api/platform'
import { jobNameOf } from '../job-names'
import { type PlatformStatus, statusQuery } from '../queries'
import { healthTexts } from '../texts'

export function HealthPage() {
  const t = useTexts(healthTexts)
  const query = useQuery({ ...statusQuery, refetchInterval: askedEveryMs })
  return (
    <Page title={t('heading')} description={t('description')}>
      <Answered query={query} rows={8}>
        {(status) => <Parts status={status} />}
      </Answered>
    </Page>
  )
}

/** `1.2 GB` */
function bytesOf(bytes: number): string {
  const unit = bytes >= 1e9 ? 'gigabyte' : 'megabyte'
  const format = { style: 'unit', unit, maximumFractionDigits: unit === 'gigabyte' ? 1 : 0 } as const
  return new Intl.NumberFormat(locale(), format).format(bytes / (unit === 'gigabyte' ? 1e9 : 1e6))
}

function Parts({ status }: { status: PlatformStatus }) {
  const t = useTexts(healthTexts)
  const { servers, database, edge, redis, work } = status
  const absent = [edge.state === 'absent' && t('edge'), redis.state === 'absent' && t('redis')].filter(
    Boolean,
  )
  const lines = status.switch.facts
  return (
    <Stack>
      <HealthBanner status={status} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {servers.map(({ id, facts, state: own }) => (
          <PartCard
            key={id}
            title={t('server', { id: facts?.host ?? id })}
            state={own}
            facts={
              facts
                ? [
                    [t('version'), facts.version],
                    ...(facts.drives_calls ? ([[t('drives'), '✓']] as const) : []),
                    [t('memory'), bytesOf(facts.memory_bytes)],
                    [t('load'), <Load key="load" load={facts.load} cpus={facts.cpus} />],
                    [t('streams'), countOf(facts.streams)],
                    ...facts.disks.map(
                      (disk) =>
                        [
                          t('disk', { purpose: t(disk.purpose) }),
                          `${bytesOf(disk.free_bytes)} / ${bytesOf(disk.total_bytes)}`,
                        ] as const,
                    ),
                  ]
                : []
            }
          />
        ))}
        <PartCard
          title={t('database')}
          state={database.state}
          facts={
            database.facts
              ? [
                  [t('version'), database.facts.version],
                  [t('size'), bytesOf(database.facts.size_bytes)],
                  [
                    t('connections'),
                    `${countOf(database.facts.connections)} / ${countOf(database.facts.max_connections)}`,
                  ],
                  [t('latency'), `${countOf(database.facts.latency_ms)} ms`],
                ]
              : []
          }
        />
        <PartCard
          title={t('switch')}
          state={status.switch.state}
          facts={
            lines
              ? [
                  [t('version'), lines.kind === 'sandbox' ? t('sandbox') : `FreeSWITCH ${lines.version}`],
                  [t('channels'), `${countOf(lines.channels)} / ${countOf(lines.max_channels)}`],
                  [t('peak'), countOf(lines.peak_channels)],
                  [t('uptime'), <Duration key="uptime" seconds={lines.uptime_seconds} />],
                ]
              : []
          }
        />
        {edge.state !== 'absent' && (
          <PartCard
            title={t('edge')}
            state={edge.state}
            facts={
              edge.facts
                ? [
                    [t('version'), edge.facts.version],
                    [t('uptime'), <Duration key="uptime" seconds={edge.facts.uptime_seconds} />],
                  ]
                : []
            }
          />
        )}
        {redis.state !== 'absent' && <PartCard title={t('redis')} state={redis.state} facts={[]} />}
        {work && <WorkCard work={work} />}
        {work && work.carriers.length > 0 && (
          <PartCard
            title={t('carriers')}
            facts={work.carriers.map((carrier) => [
              carrier.title,
              <Stack key={carrier.id} gap={2} align="flex-end">
                <PartBadge state={carrier.state} />
                {carrier.waiting > 0 && `${t('waiting')}: ${countOf(carrier.waiting)}`}
                {carrier.last_error && (
                  <Text size="xs" c="dimmed">
                    {carrier.last_error}
                  </Text>
                )}
              </Stack>,
            ])}
          />
        )}
      </SimpleGrid>
      {!work && <Text c="dimmed">{t('lost')}</Text>}
      {absent.length > 0 && <Text c="dimmed">{t('absentParts', { parts: absent.join(', ') })}</Text>}
    </Stack>
  )
}

/** More runnable processes than cores: audio stutters then. */
function Load({ load, cpus }: { load: number; cpus: number }) {
  const t = useTexts(healthTexts)
  const values = { load: countOf(load), cpus: countOf(cpus) }
  if (load <= cpus) return `${values.load} / ${values.cpus}`
  return <StateBadge tone="warn">{t('overloaded', values)}</StateBadge>
}

function WorkCard({ work }: { work: NonNullable<PlatformStatus['work']> }) {
  const t = useTexts(healthTexts)
  const waiting = (name: string, count: number, since: string | null) =>
    [
      name,
      <Stack key={name} gap={0} align="flex-end">
        {countOf(count)}
        {since && (
          <Text size="xs" c="dimmed">
            {t('since')} <Time at={since} />
          </Text>
        )}
      </Stack>,
    ] as const
  return (
    <PartCard
      title={t('work')}
      facts={[
        [t('calls'), countOf(work.live_calls)],
        [t('registrations'), countOf(work.registrations)],
        [t('accounts'), countOf(work.registered_accounts)],
        waiting(t('messages'), work.messages.waiting, work.messages.oldest_due_at),
        waiting(t('webhooks'), work.webhooks.waiting, work.webhooks.oldest_due_at),
        [t('switchedOff'), countOf(work.webhooks.switched_off)],
        ...work.jobs.map(
          ({ kind, waiting: count, failing }) =>
            [
              t('jobs', { kind: jobNameOf(kind) }),
              failing > 0 ? `${countOf(count)} (${t('failing', { count: failing })})` : countOf(count),
            ] as const,
        ),
      ]}
    />
  )
}
