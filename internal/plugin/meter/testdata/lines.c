typedef unsigned int u32; typedef unsigned long long u64;
static unsigned char buf[1<<20];
__attribute__((export_name("rc_abi_1"))) void rc_abi_1(void) {}
__attribute__((export_name("rc_alloc"))) u32 rc_alloc(u32 n) { return n <= sizeof buf ? (u32)(unsigned long)buf : 0; }
static inline int deep(volatile int *p, int x) {
  if (x > 3)
    return *p / (x - 4);
  return x;
}
static u32 words(u32 n) {
  u32 w = 0, in = 0;
  for (u32 i = 0; i < n; i++) {
    unsigned char c = buf[i];
    if (c == ' ' || c == '\n') in = 0;
    else if (!in) { in = 1; w++; }
  }
  return w;
}
static u32 find(u32 n, const char *s, u32 m) {
  u32 k = 0;
  for (u32 i = 0; i + m <= n; i++) {
    u32 j = 0;
    while (j < m && buf[i+j] == s[j]) j++;
    if (j == m) k++;
  }
  return k;
}
__attribute__((export_name("rc_extract"))) u64 rc_extract(u32 n) {
  u32 r = words(n) * 31 + find(n, "because", 7) * 7 + find(n, "decided", 7) + find(n, "never", 5);
  u32 h = 2166136261u;
  for (u32 i = 0; i < n; i++) h = (h ^ buf[i]) * 16777619u;
  *(u32*)buf = r ^ h;
  return ((u64)(u32)(unsigned long)buf << 32) | 4;
}
static int zero;
__attribute__((export_name("rc_check"))) u64 rc_check(u32 n) {
  int s = 0;
  for (u32 i = 0; i < n; i++)
    s += deep(&zero, i);
  return (u64)s << 32;
}
