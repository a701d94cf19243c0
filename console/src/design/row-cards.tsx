import { Card, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { pageState } from './choosing'
import type { RowsProps } from './columns'
import { PageBox, RowBox } from './row-box'
import { designTexts } from './texts'

interface RowCardsProps<Row> extends RowsProps<Row> {
  /** The actions have words, too long beside the first line. */
  hasActionsBelow?: boolean
}

/** A list's rows as cards, for narrow screens. */
export function RowCards<Row>(props: RowCardsProps<Row>) {
  const { label, rows, columns, rowKey, rowActions, choosing, hasActionsBelow = false } = props
  const t = useTexts(designTexts.bulk)
  return (
    <>
      {choosing && (
        <Group gap="xs" mb="xs" px="sm">
          <PageBox state={pageState(choosing.chosen, rows, rowKey)} onClick={choosing.clickPage} />
          <Text size="sm" aria-hidden>
            {t('choosePage')}
          </Text>
        </Group>
      )}
      <Stack gap="xs" component="ul" aria-label={label} p={0} m={0} style={{ listStyle: 'none' }}>
        {rows.map((row) => (
          <Card key={rowKey(row)} className="jf-row" component="li" withBorder padding="sm" fz="sm">
            <Stack gap={4}>
              {columns.map(({ key, header, render }, index) => (
                <Group key={key} gap="xs" wrap="nowrap" align={index > 0 ? 'baseline' : 'flex-start'}>
                  {index === 0 && choosing && (
                    <RowBox
                      name={choosing.nameOf(row)}
                      isChosen={choosing.chosen.rows.has(rowKey(row))}
                      onClick={(isRange) => choosing.click(row, isRange)}
                    />
                  )}
                  {index > 0 && (
                    <Text size="xs" c="dimmed" w={96} style={{ flexShrink: 0 }}>
                      {header}
                    </Text>
                  )}
                  <div style={{ minWidth: 0, flex: 1, overflowWrap: 'anywhere' }}>{render(row)}</div>
                  {index === 0 && !hasActionsBelow && rowActions?.(row)}
                </Group>
              ))}
              {hasActionsBelow && rowActions?.(row)}
            </Stack>
          </Card>
        ))}
      </Stack>
    </>
  )
}
