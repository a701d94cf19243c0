/** Chooses the type of a new step. */
import { Card, Group, Modal, SimpleGrid, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import type { StepGroup, StepKind } from '../model/step-kind'
import { newKinds } from '../model/step-kinds'
import { stepTexts } from '../texts'
import { useStepWords } from './editing'

const groups: readonly StepGroup[] = ['say', 'ask', 'connect', 'decide', 'services', 'end']

interface AddStepProps {
  opened: boolean
  onClose: () => void
  onChoose: (type: string) => void
}

export function AddStep({ opened, onClose, onChoose }: AddStepProps) {
  const t = useTexts(stepTexts)
  return (
    // The new step gets the focus instead.
    <Modal opened={opened} onClose={onClose} title={t('add')} size="xl" returnFocus={false}>
      <Palette onChoose={onChoose} />
    </Modal>
  )
}

/** Remounted each time, so that the search field starts empty. */
function Palette({ onChoose }: Pick<AddStepProps, 'onChoose'>) {
  const t = useTexts(stepTexts)
  const words = useTexts(common)
  const { typeName, typeHint } = useStepWords()
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLocaleLowerCase()
  const matching = newKinds(({ type }) =>
    `${typeName(type)} ${typeHint(type)} ${type}`.toLocaleLowerCase().includes(wanted),
  )
  return (
    <Stack>
      <TextInput
        type="search"
        data-autofocus
        aria-label={t('searchSteps')}
        placeholder={t('searchSteps')}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={({ key }) => {
          const [first] = matching
          if (key === 'Enter' && wanted !== '' && first) onChoose(first.type)
        }}
      />
      {matching.length === 0 && <Text role="status">{words('noMatch', { search })}</Text>}
      {groups
        .map((group) => ({ group, kinds: matching.filter((kind) => kind.group === group) }))
        .filter(({ kinds }) => kinds.length > 0)
        .map(({ group, kinds }) => (
          <Stack key={group} gap="xs" component="section" aria-label={t(`group_${group}`)}>
            <Text size="sm" fw={600} c="dimmed">
              {t(`group_${group}`)}
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs">
              {kinds.map((kind) => (
                <Offer key={kind.type} kind={kind} onChoose={onChoose} />
              ))}
            </SimpleGrid>
          </Stack>
        ))}
    </Stack>
  )
}

function Offer({
  kind: { type, icon: Icon },
  onChoose,
}: Pick<AddStepProps, 'onChoose'> & { kind: StepKind }) {
  const { typeName, typeHint } = useStepWords()
  return (
    <UnstyledButton onClick={() => onChoose(type)}>
      <Card withBorder padding="xs" h="100%">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Icon size={20} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600}>
              {typeName(type)}
            </Text>
            <Text size="xs" c="dimmed">
              {typeHint(type)}
            </Text>
          </div>
        </Group>
      </Card>
    </UnstyledButton>
  )
}
