type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with a model provider's key; the relay's brain reads exactly these. */
export const MODEL_KEY_VARIABLES = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  compatible: ['DRAWBRIDGE_MODEL_KEY'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Variables that programs and builds need and that contain no secret by definition. A `*` ends a prefix. */
const ORDINARY: Readonly<Record<string, string>> = {
  person:
    'HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TMPDIR TMP TEMP PWD SHLVL HOSTNAME XDG_* SSH_AUTH_SOCK',
  terminal: `TERM COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE
    EDITOR VISUAL PAGER`,
  desktop: `DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION GDK_BACKEND GTK_IM_MODULE
    QT_IM_MODULE XMODIFIERS FONTCONFIG_FILE FONTCONFIG_PATH LIBGL_ALWAYS_SOFTWARE PULSE_SERVER`,
  windows: `SYSTEMROOT WINDIR SYSTEMDRIVE COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86)
    PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432 ALLUSERSPROFILE PUBLIC USERPROFILE USERNAME
    USERDOMAIN HOMEDRIVE HOMEPATH COMPUTERNAME OS PROCESSOR_* NUMBER_OF_PROCESSORS PSMODULEPATH WSL_DISTRO_NAME WSL_INTEROP`,
  network: `HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
    NODE_USE_SYSTEM_CA REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO NIX_SSL_CERT_FILE`,
  programs: `PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH MANPATH INFOPATH LOCALE_ARCHIVE NIX_PATH
    NIX_PROFILES NIX_LD NIX_LD_LIBRARY_PATH HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY ASDF_DIR ASDF_DATA_DIR
    MISE_DATA_DIR CHROME_PATH CHROME_BIN PLAYWRIGHT_BROWSERS_PATH PUPPETEER_EXECUTABLE_PATH DOCKER_HOST DOCKER_CONTEXT CI`,
  javascript: `NODE_ENV NODE_PATH NODE_OPTIONS NVM_DIR NVM_BIN NVM_INC VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH N_PREFIX PNPM_HOME
    BUN_INSTALL DENO_DIR DENO_INSTALL COREPACK_HOME NPM_CONFIG_PREFIX NPM_CONFIG_CACHE NPM_CONFIG_USERCONFIG`,
  jvm: `JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME KOTLIN_HOME SDKMAN_DIR ANDROID_HOME
    ANDROID_SDK_ROOT ANDROID_NDK_HOME`,
  native: `CC CXX AR LD CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CPATH LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH MAKEFLAGS
    CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS
    GOPRIVATE GOOS GOARCH CGO_ENABLED`,
  scripting: `PYENV_ROOT PYENV_VERSION VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE PYTHONPATH PYTHONHOME
    PYTHONUNBUFFERED PIPX_HOME POETRY_HOME UV_CACHE_DIR RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH BUNDLE_PATH BUNDLE_GEMFILE
    COMPOSER_HOME DOTNET_ROOT DOTNET_CLI_HOME NUGET_PACKAGES OPAMROOT OPAM_SWITCH_PREFIX MIX_HOME HEX_HOME`,
  git: `GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_EDITOR GIT_SSH GIT_SSH_COMMAND`,
};
const ORDINARY_NAMES: readonly string[] = Object.values(ORDINARY).flatMap((names) => names.split(/\s+/));

/** Whether a variable matches a name, or a prefix with `*`. Ignores case, because Windows does. */
export function isVariable(name: string, pattern: string): boolean {
  const [upper, wanted] = [name.toUpperCase(), pattern.toUpperCase()];
  return wanted.endsWith('*') ? upper.startsWith(wanted.slice(0, -1)) : upper === wanted;
}

/** The environment of a program that Drawbridge starts: ordinary variables, and those in `named`. */
export function childEnvironment(
  env: Environment,
  named: readonly string[] = [],
): Record<string, string | undefined> {
  const patterns = [...ORDINARY_NAMES, ...named];
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => patterns.some((pattern) => isVariable(name, pattern))),
  );
}

/** The environment of a worker thread: none, but for the cache that saves compiling its modules at each start. */
export const workerEnvironment = ({ NODE_COMPILE_CACHE }: Environment): Record<string, string> =>
  NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** Names of the variables that such a program does not get. */
export const withheldVariables = (env: Environment, named: readonly string[] = []): readonly string[] => {
  const given = childEnvironment(env, named);
  return Object.keys(env)
    .filter((name) => !Object.hasOwn(given, name))
    .toSorted();
};
