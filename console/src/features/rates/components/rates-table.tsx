import { Select } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { wordOf } from '../../../api/lists'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState } from '../../../design/page'
import { Time, exactMoneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Rate, type RateDeck, type RatesSearch, rateKinds, ratesQuery } from '../queries'
import { ratesTexts } from '../texts'
import { PriceOf } from './price-of'

/** Rates of a deck, paged: there may be two hundred thousand. */
export function RatesTable({ deck: { id } }: { deck: RateDeck }) {
  const t = useTexts(ratesTexts)
  const search = useSearch({ from: '/shell/operator/rate-decks/$id' })
  const navigate = useNavigate({ from: '/rate-decks/$id' })
  const change = (next: { [Field in keyof RatesSearch]: RatesSearch[Field] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...next }), resetScroll: false })
  return (
    <DataTable
      label={t('rates')}
      query={useQuery(ratesQuery(id, search))}
      columns={useColumns()}
      rowKey={({ kind, prefix, valid_from }) => `${kind} ${prefix} ${valid_from ?? ''}`}
      search={search}
      onSearch={({ sort: _, order: __, ...next }) => change(next)}
      searchLabel={t('searchRates')}
      filters={
        <Select
          aria-label={t('kind')}
          data={rateKinds.map((value) => ({ value, label: t(value) }))}
          placeholder={t('allKinds')}
          clearable
          clearButtonProps={{ 'aria-label': t('allKinds') }}
          w={190}
          value={search.kind ?? null}
          onChange={(kind) => change({ kind: wordOf(kind, rateKinds), page: undefined })}
        />
      }
      isFiltered={search.kind !== undefined}
      empty={
        <EmptyState icon={IconUpload} title={t('noRates')}>
          {t('noRatesHint')}
        </EmptyState>
      }
    />
  )
}

function useColumns(): Column<Rate>[] {
  const t = useTexts(ratesTexts)
  const right = { align: 'right' } as const
  return [
    { key: 'kind', header: t('kind'), render: ({ kind }) => t(kind) },
    {
      key: 'prefix',
      header: t('prefix'),
      render: ({ prefix }) => (prefix ? <code>{prefix}</code> : t('allNumbers')),
    },
    { key: 'destination', header: t('destination'), render: ({ destination }) => destination || '–' },
    { key: 'price', header: t('price'), ...right, render: (rate) => <PriceOf rate={rate} /> },
    {
      key: 'fee',
      header: t('connectionFee'),
      ...right,
      render: ({ kind, connection_fee }) => (kind === 'message' ? '–' : exactMoneyOf(connection_fee)),
    },
    {
      key: 'increments',
      header: t('increments'),
      ...right,
      render: ({ kind, minimum_seconds, increment_seconds }) =>
        kind === 'message' ? (
          '–'
        ) : (
          <span title={t('incrementsHint')}>{`${minimum_seconds}/${increment_seconds}`}</span>
        ),
    },
    {
      key: 'from',
      header: t('from'),
      render: ({ valid_from }) => <Time at={valid_from} />,
    },
  ]
}
