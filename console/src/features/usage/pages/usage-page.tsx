import { ApiError } from '@jackfield/sdk'
import { Group, SegmentedControl, SimpleGrid } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { fieldMessage } from '../../../api/errors'
import { workspaceQuery } from '../../../api/workspace'
import { DayRangeFields } from '../../../design/day-range'
import { Answered, EmptyState, Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { ExportButton } from '../components/export-button'
import { MeasureCard } from '../components/measure-card'
import { UsageTable } from '../components/usage-table'
import { measures } from '../measures'
import { yearBegin } from '../periods'
import { type Usage, type UsageSearch, usageQuery } from '../queries'
import { usageTexts } from '../texts'

export function UsagePage() {
  const t = useTexts(usageTexts)
  const search = useSearch({ from: '/shell/admin/usage' })
  const navigate = useNavigate({ from: '/usage' })
  const query = useQuery(usageQuery(search))
  const change = (next: { [Field in keyof UsageSearch]: UsageSearch[Field] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }) })
  const problems = daysRefused(query.error)
  const isOwner = useQuery(workspaceQuery).data?.role === 'owner'
  return (
    <Page
      title={t('heading')}
      description={t('description')}
      actions={isOwner && <ExportButton days={daysOf(search, query.data)} />}
    >
      <Group gap="sm" align="flex-start">
        <DayRangeFields value={daysOf(search, query.data)} onChange={change} problems={problems} />
        <SegmentedControl
          mt={25}
          aria-label={t('by')}
          value={search.by ?? 'day'}
          data={[
            { value: 'day', label: t('byDay') },
            { value: 'month', label: t('byMonth') },
          ]}
          onChange={(by) =>
            change({
              by,
              // One or two months are too few for a chart.
              ...(by === 'month' && !search.from && { from: yearBegin(search.to) }),
            })
          }
        />
      </Group>
      {Object.keys(problems).length === 0 && (
        <Answered query={query} rows={10}>
          {(usage) =>
            usage.data.length === 0 ? (
              <EmptyState icon={IconChartBar} title={t('emptyTitle')}>
                {t('emptyHint')}
              </EmptyState>
            ) : (
              <>
                <SimpleGrid cols={{ base: 1, md: 2 }}>
                  {measures.map((measure) => (
                    <MeasureCard key={measure.name} measure={measure} usage={usage} />
                  ))}
                </SimpleGrid>
                <UsageTable query={query} search={search} onSearch={change} />
              </>
            )
          }
        </Answered>
      )}
    </Page>
  )
}

/** Without a chosen range, the range that the API used. */
function daysOf({ from, to }: UsageSearch, usage: Usage | undefined) {
  const [first, last] = [from ?? usage?.from, to ?? usage?.to]
  return { ...(first && { from: first }), ...(last && { to: last }) }
}

/** Error of a date field. */
function daysRefused(error: unknown): { from?: string; to?: string } {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.errors.map((problem) => [problem.field, fieldMessage(problem)]))
}
