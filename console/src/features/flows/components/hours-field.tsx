/** Opening hours, in the step's time zone. */
import { Chip, Group, Input, Select, Stack, TextInput } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { textAt, withParam } from '../model/steps'
import { stepTexts } from '../texts'
import { Rows, rowsIn } from './rows'
import type { StepFieldProps } from './plain-field'

interface Hours {
  days: string[]
  from: string
  to: string
}

interface Holiday {
  date: string
  title?: string | undefined
}

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const zones = Intl.supportedValuesOf('timeZone')

export function HoursField({ step, errorAt, onParams }: StepFieldProps) {
  const t = useTexts(stepTexts)
  const { params } = step
  const zone = textAt(params, 'time_zone')
  const holidays = rowsIn<Holiday>(params['holidays'])
  return (
    <Stack gap="sm">
      <Select
        label={t('field_time_zone')}
        searchable
        allowDeselect={false}
        limit={100}
        data={zones.includes(zone) || zone === '' ? zones : [zone, ...zones]}
        value={zone || null}
        error={errorAt('time_zone')}
        data-path="time_zone"
        onChange={(next) => onParams(withParam(params, 'time_zone', next ?? ''), 'time_zone')}
      />
      <Input.Wrapper label={t('hours')} labelElement="div" error={errorAt('hours')}>
        <Rows
          rows={rowsIn<Hours>(params['hours'])}
          nameOf={(number) => `${t('hours')} ${number}`}
          addLabel={t('addHours')}
          empty={{ days: ['sat'], from: '10:00', to: '14:00' }}
          max={50}
          onChange={(rows, index) =>
            onParams(withParam(params, 'hours', rows), index < 0 ? '' : `hours.${index}`)
          }
        >
          {(row, index, change) => (
            <>
              <Input.Wrapper labelElement="div" error={errorAt(`hours.${index}.days`)}>
                <Chip.Group
                  multiple
                  value={row.days}
                  onChange={(chosen) => change({ days: days.filter((day) => chosen.includes(day)) })}
                >
                  <Group gap={4} role="group" aria-label={t('days')} data-path={`hours.${index}.days`}>
                    {days.map((day) => (
                      <Chip key={day} value={day} size="xs">
                        {t(`day${day}`)}
                      </Chip>
                    ))}
                  </Group>
                </Chip.Group>
              </Input.Wrapper>
              <Group gap="xs" grow align="flex-start">
                <TextInput
                  label={t('fromTime')}
                  placeholder="09:00"
                  maxLength={5}
                  value={row.from}
                  error={errorAt(`hours.${index}.from`)}
                  data-path={`hours.${index}.from`}
                  onChange={({ currentTarget }) => change({ from: currentTarget.value })}
                />
                <TextInput
                  label={t('toTime')}
                  placeholder="24:00"
                  maxLength={5}
                  value={row.to}
                  error={errorAt(`hours.${index}.to`)}
                  data-path={`hours.${index}.to`}
                  onChange={({ currentTarget }) => change({ to: currentTarget.value })}
                />
              </Group>
            </>
          )}
        </Rows>
      </Input.Wrapper>
      <Input.Wrapper label={t('holidays')} labelElement="div" error={errorAt('holidays')}>
        <Rows
          rows={holidays}
          nameOf={(number) => holidays[number - 1]?.title || holidays[number - 1]?.date || String(number)}
          addLabel={t('addHoliday')}
          empty={{ date: `${new Date().getFullYear()}-12-25` }}
          max={366}
          onChange={(rows, index) =>
            onParams(
              withParam(params, 'holidays', rows.length > 0 ? rows.map(asSent) : undefined),
              index < 0 ? '' : `holidays.${index}`,
            )
          }
        >
          {({ date, title = '' }, index, change) => (
            <Group gap="xs" grow align="flex-start">
              <TextInput
                type="date"
                label={t('date')}
                value={date}
                error={errorAt(`holidays.${index}.date`)}
                data-path={`holidays.${index}.date`}
                onChange={({ currentTarget }) => change({ date: currentTarget.value })}
              />
              <TextInput
                label={t('holidayTitle')}
                value={title}
                error={errorAt(`holidays.${index}.title`)}
                data-path={`holidays.${index}.title`}
                onChange={({ currentTarget }) => change({ title: currentTarget.value })}
              />
            </Group>
          )}
        </Rows>
      </Input.Wrapper>
    </Stack>
  )
}

function asSent({ date, title = '' }: Holiday): Holiday {
  return { date, ...(title !== '' && { title }) }
}
