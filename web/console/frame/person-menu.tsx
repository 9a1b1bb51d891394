import { Menu, Text, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { HouseIcon, KeyboardIcon, LanguageIcon, SignOutIcon, PersonIcon, ThemeIcon } from '../../ui/icons.tsx'
import { useKeyboard } from '../../ui/keyboard.tsx'
import { useSession } from '../../ui/session.tsx'
import { chooseLanguage, useLanguage, useWords } from '../../ui/words.ts'
import classes from './frame.module.css'
import { PersonButton } from './person-button.tsx'
import { postForm } from './post-form.ts'
import { frameWords } from './words.ts'

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' }

/** Whose session it is, and everything that is about them rather than about the venue. */
const PersonMenu = () => {
  const words = useWords(frameWords)
  const language = useLanguage()
  const { other_accounts: others } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { showHelp } = useKeyboard()
  const nextScheme = { auto: 'light', light: 'dark', dark: 'auto' } as const
  const otherLanguage = language === 'en' ? 'de' : 'en'

  return (
    <Menu
      defaultOpened
      position="top-start"
      width={280}
      shadow="md"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <PersonButton />
      </Menu.Target>
      <Menu.Dropdown>
        {others.length > 0 && (
          <>
            <Menu.Label>{words.otherAccounts}</Menu.Label>
            <div className={classes.otherAccounts}>
              {others.map(({ membership_id, name }) => (
                <Menu.Item
                  key={membership_id}
                  leftSection={<HouseIcon />}
                  onClick={() => postForm('/account/switch', { membership_id: String(membership_id) })}
                >
                  <span dir="auto">{name}</span>
                </Menu.Item>
              ))}
            </div>
            <Menu.Divider />
          </>
        )}
        <Menu.Item
          leftSection={<LanguageIcon />}
          lang={otherLanguage}
          closeMenuOnClick={false}
          onClick={() => chooseLanguage(otherLanguage)}
        >
          {LANGUAGE_NAMES[otherLanguage]}
        </Menu.Item>
        <Menu.Item
          leftSection={<ThemeIcon />}
          closeMenuOnClick={false}
          rightSection={
            <Text span size="xs" c="dimmed">
              {words.schemes[colorScheme]}
            </Text>
          }
          onClick={() => setColorScheme(nextScheme[colorScheme])}
        >
          {words.appearance}
        </Menu.Item>
        <Menu.Item leftSection={<KeyboardIcon />} onClick={showHelp}>
          {words.keyboard}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<PersonIcon />} renderRoot={(props) => <Link to="/me" {...props} />}>
          {words.account}
        </Menu.Item>
        <Menu.Item leftSection={<SignOutIcon />} onClick={() => postForm('/sign_out')}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export default PersonMenu
