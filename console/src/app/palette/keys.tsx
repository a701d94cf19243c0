/** The list of keys. */
import { Group, Kbd, Modal, Stack, Table, Text, Title } from '@mantine/core'
import { useTexts } from '../../i18n/texts'
import type { NavigationItem } from '../navigation-item'
import { paletteTexts } from './texts'
import { letters, pageOfLetter } from './use-keys'

export default function KeysModal({
  items,
  onClose,
}: {
  items: readonly NavigationItem[]
  onClose: () => void
}) {
  const t = useTexts(paletteTexts)
  const pages = Object.keys(letters).flatMap((letter) => {
    const page = pageOfLetter(letter, items)
    return page ? [{ keys: ['g', letter], what: page.label() }] : []
  })
  const everywhere = [
    { keys: ['Ctrl', 'K'], what: t('find') },
    { keys: ['?'], what: t('keys') },
    { keys: ['j'], what: t('nextRow') },
    { keys: ['k'], what: t('previousRow') },
    { keys: ['Esc'], what: t('closeDialog') },
    { keys: ['Alt', 'Shift', 'B'], what: t('foldMenu') },
  ]
  const phone = [
    { keys: ['Alt', 'Shift', 'A'], what: t('phoneAnswer') },
    { keys: ['Alt', 'Shift', 'H'], what: t('phoneHangUp') },
    { keys: ['Alt', 'Shift', 'M'], what: t('phoneMute') },
    { keys: ['Alt', 'Shift', 'P'], what: t('phoneHold') },
  ]
  const editor = [{ keys: ['Alt', 'Shift', 'F'], what: t('fullScreen') }]
  const hasFlows = items.some(({ path }) => path === '/flows')
  const hasPhone = items.some(({ path }) => path === '/phone')
  return (
    <Modal opened onClose={onClose} title={t('keys')} size="md">
      <Stack gap="md">
        <Keys title={t('keysEverywhere')} rows={everywhere} />
        {hasPhone && <Keys title={t('keysPhone')} rows={phone} />}
        {hasFlows && <Keys title={t('keysFlow')} rows={editor} />}
        <Keys title={t('keysPages')} rows={pages} />
      </Stack>
    </Modal>
  )
}

function Keys({
  title,
  rows,
}: {
  title: string
  rows: readonly { keys: readonly string[]; what: string }[]
}) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      <Table verticalSpacing={4} aria-label={title}>
        <Table.Tbody>
          {rows.map(({ keys, what }) => (
            <Table.Tr key={what}>
              <Table.Td>
                <Text size="sm">{what}</Text>
              </Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
