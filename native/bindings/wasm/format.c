/* vsnprintf for the engines' error messages: %d %u %zu %lld %s %.64s %g %f and %%. Fractions have at most six
 * digits, and %f writes no zeros behind them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char *text;
    size_t capacity, length;
} writer;

static void put(writer *w, char character) {
    if (w->length + 1 < w->capacity)
        w->text[w->length] = character;
    w->length++;
}

static void put_text(writer *w, const char *text, size_t most) {
    for (; *text && most; text++, most--)
        put(w, *text);
}

static void put_digits(writer *w, uint64_t number) {
    char digits[20];
    int n = 0;
    do {
        digits[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (n)
        put(w, digits[--n]);
}

static void put_whole(writer *w, int64_t number) {
    if (number < 0)
        put(w, '-');
    put_digits(w, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static void put_fraction(writer *w, uint64_t millionths) {
    put(w, '.');
    for (uint64_t unit = 100000; unit && millionths; unit /= 10) {
        put(w, (char)('0' + millionths / unit));
        millionths %= unit;
    }
}

static void put_number(writer *w, double number) {
    if (number < 0)
        put(w, '-');
    double size = number < 0 ? -number : number;
    if (!(size < 1e12)) { /* also what is no number */
        put_text(w, size != size ? "nan" : size > 1e300 ? "inf" : "1e12 or more", SIZE_MAX);
        return;
    }
    uint64_t millionths = (uint64_t)(size * 1e6 + 0.5);
    put_digits(w, millionths / 1000000);
    if (millionths % 1000000)
        put_fraction(w, millionths % 1000000);
}

/* The precision of a text, as in %.64s. */
static size_t read_precision(const char **format) {
    if (**format != '.')
        return SIZE_MAX;
    size_t most = 0;
    for ((*format)++; **format >= '0' && **format <= '9'; (*format)++)
        most = 10 * most + (size_t)(**format - '0');
    return most;
}

int vsnprintf(char *text, size_t capacity, const char *format, va_list values) {
    writer w = {text, capacity, 0};
    for (; *format; format++) {
        if (*format != '%') {
            put(&w, *format);
            continue;
        }
        format++;
        size_t most = read_precision(&format);
        int longs = 0;
        for (; *format == 'l' || *format == 'z'; format++)
            longs += *format == 'l';
        switch (*format) {
        case 'd': put_whole(&w, longs == 2 ? va_arg(values, long long) : va_arg(values, int)); break;
        case 'u': put_digits(&w, va_arg(values, unsigned)); break; /* size_t is as wide */
        case 's': put_text(&w, va_arg(values, const char *), most); break;
        case 'f':
        case 'g': put_number(&w, va_arg(values, double)); break;
        default: put(&w, *format);
        }
    }
    if (capacity)
        text[w.length < capacity ? w.length : capacity - 1] = 0;
    return (int)w.length;
}
