/** Two versions side by side, or stacked on narrow screens. */
import { Card, Group, Stack, Switch, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'
import { type ComparedRow, type Sides, useSettingRows, useVerdictRows } from './compared-rows'

export function SideBySide({ id, published, ...sides }: Sides & { id: string; published: number | null }) {
  const t = useTexts(voiceAgentsTexts)
  const [onlyChanges, setOnlyChanges] = useState(false)
  const rows = [...useSettingRows(sides), ...useVerdictRows({ ...sides, id, published })]
  const shown = onlyChanges ? rows.filter(({ differs, key }) => differs || key === 'publish') : rows
  const count = rows.filter(({ differs }) => differs).length
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const heads = [sides.left, sides.right].map(({ settings: { version } }) =>
    t(version === published ? 'versionPublished' : 'version', { version }),
  )
  return (
    <Stack>
      <Group>
        <Text role="status">{t('differences', { count })}</Text>
        <Switch
          label={t('onlyDifferences')}
          checked={onlyChanges}
          onChange={({ currentTarget }) => setOnlyChanges(currentTarget.checked)}
        />
      </Group>
      {isNarrow ? (
        shown.map((row) => <StackedRow key={row.key} row={row} heads={heads} />)
      ) : (
        <WideRows rows={shown} heads={heads} />
      )}
    </Stack>
  )
}

interface RowsProps {
  rows: readonly ComparedRow[]
  /** Names of both versions. */
  heads: readonly string[]
}

function WideRows({ rows, heads }: RowsProps) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Table layout="fixed" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={150}>{t('setting')}</Table.Th>
          {heads.map((head, side) => (
            <Table.Th key={side}>{head}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody style={{ verticalAlign: 'top' }}>
        {rows.map(({ key, label, differs, left, right }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={differs ? 700 : 400}>
              {label}
              {differs && (
                <Text span size="xs" display="block">
                  {t('differs')}
                </Text>
              )}
            </Table.Th>
            <Table.Td>{left}</Table.Td>
            <Table.Td>{right}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Stacked, on narrow screens. */
function StackedRow({
  row: { label, differs, left, right },
  heads,
}: {
  row: ComparedRow
  heads: readonly string[]
}) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Card withBorder padding="sm" component="section" aria-label={label}>
      <Text fw={differs ? 700 : 400}>
        {label}
        {differs && ` (${t('differs')})`}
      </Text>
      {[left, right].map((value, side) => (
        <div key={side}>
          <Text size="xs" c="dimmed" mt={6}>
            {heads[side]}
          </Text>
          {value}
        </div>
      ))}
    </Card>
  )
}
